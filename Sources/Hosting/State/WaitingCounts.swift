/// How many items of a run wait until they may be seen, in transactions that are committed: of each stream, by the reading that
/// they are of.
struct WaitingCounts {
  private var counts: [Int: [String: Int]] = [:]
  private var added: [(owner: Int, stream: String, count: Int)] = []
  private var ended: Set<Int> = []

  /// By stream.
  var byStream: [String: Int] {
    counts.values.reduce(into: [:]) { all, counts in all.merge(counts, uniquingKeysWith: +) }
  }

  mutating func add(_ count: Int, of stream: String, for owner: Int) {
    if count > 0 { added.append((owner, stream, count)) }
  }

  /// What waited for a reading is where it belongs.
  mutating func end(_ owner: Int) { ended.insert(owner) }

  /// The transaction counts.
  mutating func commit() {
    for (owner, stream, count) in added { counts[owner, default: [:]][stream, default: 0] += count }
    for owner in ended { counts[owner] = nil }
    forget()
  }

  /// The transaction is taken back.
  mutating func forget() { (added, ended) = ([], []) }
}
