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
  ///
  /// Names that end with it go before all others: `latency` has `view.latency`, `append` has `context:append`.
  public static func nearestNames(to name: String) -> [String] {
    let wanted = key(name)
    let ending = endings[wanted.lowercased()] ?? []
    if !ending.isEmpty { return Array(ending.prefix(6)) }
    let near = NearestName.all(near: wanted, in: topics.keys).prefix(3).compactMap { topics[$0]?[0].name }
    guard near.isEmpty else { return near }
    return Array(
      NearestName.all(near: wanted, in: endings.keys).prefix(2).flatMap { endings[$0] ?? [] }.prefix(3))
  }

  /// Names by what stands behind their last dot or colon, in small letters; in the order of the description.
  private static let endings: [String: [String]] = {
    var endings: [String: [String]] = [:]
    for name in APITopic.all.map(\.name) {
      let last = key(name).split(separator: ".").last.map { $0.lowercased() } ?? name
      if endings[last]?.contains(name) != true { endings[last, default: []].append(name) }
    }
    return endings
  }()

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
}
