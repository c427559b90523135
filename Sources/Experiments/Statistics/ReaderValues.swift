/// The values of sessions as one value per reader, for intervals and tests of their mean.
///
/// The sessions of a recorded reader are alike: another hundred of them say nothing about other readers. The mean of the
/// values is that of all sessions, and the spread is that among readers (the linearized ratio of Cochran 1977, which is the
/// cluster-robust variance).
public enum ReaderValues {
  /// The values, by reader in order of appearance where any is below zero, which are the recorded ones; as they are
  /// otherwise.
  public static func of(_ values: [Double], readers: [Int]) -> [Double] {
    guard readers.contains(where: { $0 < 0 }) else { return values }
    var places: [Int: Int] = [:]
    var (sums, counts): ([Double], [Int]) = ([], [])
    for (value, reader) in zip(values, readers) {
      let place = places[reader] ?? sums.count
      if place == sums.count {
        places[reader] = place
        sums.append(0)
        counts.append(0)
      }
      sums[place] += value
      counts[place] += 1
    }
    return of(sums: sums, counts: counts)
  }

  /// The values of readers with that many sessions, which come to these sums.
  static func of(sums: [Double], counts: [Int]) -> [Double] {
    let sessions = Double(counts.reduce(0, +))
    guard sessions > 0 else { return [] }
    let mean = sums.reduce(0, +) / sessions
    let scale = Double(sums.count) / sessions
    return zip(sums, counts).map { sum, count in mean + scale * (sum - Double(count) * mean) }
  }
}
