/// What the REPL asks: the text about a name, and the names that begin like one.
extension APIDescription {
  /// What is known about a name, as lines of at most `width` letters where words allow; nil for a name that is not there.
  ///
  /// `lookahead.http.get`, `http.get`, `source.fetch`, `context:append`, `view` and `lookahead.source` are such names. Where
  /// several things share one, as `source` the call and a source, all of them are told.
  public static func text(for name: String, width: Int = 100) -> String? {
    topics[key(name)].map { $0.map { $0.text(width: width) }.joined(separator: "\n\n") }
  }

  /// The names that are nearest to one that is not there, the nearest first; empty when none is near.
  public static func nearestNames(to name: String) -> [String] {
    let wanted = key(name)
    let limit = max(2, wanted.count / 3)
    return topics.map { (name: $0.value[0].name, distance: distance(wanted, $0.key)) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }

  /// The names that begin with a text, one dot or colon at a time and sorted: `lookahead.ht` has `lookahead.http`.
  ///
  /// `lookahead.` may be left out, as people do: `http.g` has `http.get`.
  public static func names(after start: String) -> [String] {
    let found = writtenNames.filter { name in
      name.hasPrefix(start) && !name.dropFirst(start.count).contains { $0 == "." || $0 == ":" }
    }
    return found.sorted()
  }

  /// Topics by what people type: without `lookahead.`, and with dots for colons.
  private static let topics = Dictionary(grouping: APITopic.all) { key($0.name) }

  /// All names as people write them, with `lookahead.` and without.
  private static let writtenNames = Set(
    APITopic.all.map(\.name).flatMap { name in
      name.hasPrefix("lookahead.") ? [name, String(name.dropFirst("lookahead.".count))] : [name]
    })

  private static func key(_ name: String) -> String {
    var key = name.trimmed.replacing(":", with: ".")
    if key.hasSuffix("()") { key.removeLast(2) }
    return key.hasPrefix("lookahead.") ? String(key.dropFirst("lookahead.".count)) : key
  }

  /// The number of letters to add, leave out or replace to get from one word to another.
  private static func distance(_ old: String, _ new: String) -> Int {
    let new = Array(new.lowercased())
    var row = Array(0...new.count)
    for (i, letter) in old.lowercased().enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for j in new.indices {
        let cost = corner + (letter == new[j] ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[new.count]
  }
}
