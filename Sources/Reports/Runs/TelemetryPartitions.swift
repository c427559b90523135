/// The partitions of a run, in the order in which they began or were listed.
struct TelemetryPartitions: Sendable {
  enum State: UInt8, Sendable, CaseIterable {
    case reading, done, failed, waiting

    /// The letter in the page's data.
    var letter: String {
      switch self {
      case .reading: "r"
      case .done: "d"
      case .failed: "f"
      case .waiting: "w"
      }
    }
  }

  /// Of more only the state is kept, and the page draws no more.
  static let most = 20_000
  private(set) var states: [State] = []
  private(set) var names: [String] = []
  private(set) var counts = [Int](repeating: 0, count: State.allCases.count)
  /// Bytes that all names begin with.
  private var shared = 0
  private var calls: [Int: Int] = [:]
  private var readings: [Int: Int] = [:]

  var count: Int { states.count }

  /// A call begins one.
  mutating func began(_ call: Int, source: String, partition: String) {
    calls[call] = add(partition.isEmpty ? source : "\(source) \(partition)", .reading)
  }

  /// One more; its place.
  mutating func add(_ name: String, _ state: State) -> Int {
    states.append(state)
    counts[Int(state.rawValue)] += 1
    guard names.count < Self.most else { return states.count - 1 }
    if let first = names.first {
      shared = zip(first.utf8.prefix(shared), name.utf8).prefix { $0 == $1 }.count
    } else {
      shared = name.utf8.count
    }
    names.append(name)
    return states.count - 1
  }

  /// The name without the parameters that all have alike, where those are long.
  func shortName(of place: Int) -> String {
    let name = names[place].utf8
    guard names.count > 1, shared > Self.longest else { return names[place] }
    let common = name.prefix(shared)
    let start = common.lastIndex { $0 == UInt8(ascii: ",") }.map { name.index(after: $0) } ?? name.startIndex
    return start == name.startIndex ? names[place] : "…" + (String(name[start...]) ?? names[place])
  }

  /// What all names may begin with and be shown.
  private static let longest = 24

  /// The call was answered with a reading of the output.
  mutating func opened(_ call: Int, reading: Int, isDone: Bool) {
    guard let place = calls.removeValue(forKey: call) else { return }
    if isDone { return change(place, to: .done) }
    readings[reading] = place
  }

  /// The call was answered for good.
  mutating func ended(_ call: Int, failed: Bool) {
    guard let place = calls.removeValue(forKey: call) else { return }
    change(place, to: failed ? .failed : .done)
  }

  /// The output has all of a reading.
  mutating func finished(reading: Int) {
    guard let place = readings.removeValue(forKey: reading) else { return }
    change(place, to: .done)
  }

  mutating func change(_ place: Int, to state: State) {
    counts[Int(states[place].rawValue)] -= 1
    counts[Int(state.rawValue)] += 1
    states[place] = state
  }
}
