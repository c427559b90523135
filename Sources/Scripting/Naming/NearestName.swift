/// Suggests known names for a misspelt one.
///
/// ```swift
/// NearestName.of("lenght", in: ["length", "size"])  // "length"
/// ```
public enum NearestName {
  /// The known name nearest to `name`, ignoring case; nil if none is near.
  ///
  /// Near means up to a third of the letters inserted, deleted, replaced or transposed (optimal string alignment).
  public static func of(_ name: String, in known: some Sequence<String>) -> String? {
    all(near: name, in: known).first
  }

  /// The known names that are near, nearest first.
  static func all(near name: String, in known: some Sequence<String>) -> [String] {
    let limit = max(1, (name.count + 1) / 3)
    let wanted = Array(name.lowercased())
    // At least as many letters as one has more than the other are inserted: of a long text nothing is counted.
    return known.map { (name: $0, letters: Array($0.lowercased())) }
      .filter { abs($0.letters.count - wanted.count) <= limit }
      .map { (name: $0.name, distance: distance(wanted, $0.letters)) }
      .filter { $0.distance <= limit && $0.distance < wanted.count && $0.name != name }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .map(\.name)
  }

  /// ` (did you mean 'x'?)`; all names if none is near, or nothing if they are too many.
  public static func hint(_ name: String, in known: some Collection<String>) -> String {
    if let nearest = of(name, in: known) { return " (did you mean '\(nearest)'?)" }
    return known.isEmpty || known.count > 30 ? "" : " (known: \(known.sorted().joined(separator: ", ")))"
  }

  private static func distance(_ old: [Character], _ new: [Character]) -> Int {
    if old.isEmpty || new.isEmpty { return max(old.count, new.count) }
    var before: [Int] = []
    var above = Array(0...new.count)
    for i in old.indices {
      var row = [i + 1]
      for j in new.indices {
        var cost = min(above[j] + (old[i] == new[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, old[i] == new[j - 1], old[i - 1] == new[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, above) = (above, row)
    }
    return above[new.count]
  }
}
