/// The script API, described once: editor stubs, the linter's standard, `:doc`, completion and the manual's table are made
/// of it, and tests compare it with what scripts find.
///
/// Who adds a function adds its entry in the folder `Entries`; nothing else has to be written.
public enum APIDescription {
  /// The tables of functions: `lookahead`, then its fields in the order in which people meet them.
  public static let modules: [APIModule] = [
    library, policies, lab, machine, http, json, sqlite, files, csv, url, base64, hash, time, log,
    environment,
  ]

  /// Tables that scripts write, and objects that they get.
  public static let classes: [APIClass] =
    sourceClasses + fetchingClasses + policyClasses + readingClasses + collectionClasses + worldClasses
    + labClasses
    + machineClasses

  /// The class with that name, as `Source`.
  public static func type(named name: String) -> APIClass? { classes.first { $0.name == name } }

  /// The tables that scripts write as the argument of a call, by the call as people write it: `lookahead.source`.
  public static func keys(of call: String) -> [APIField]? {
    classes.first { $0.role == .keys && $0.word == call }?.fields
  }

  /// The names that a module holds, sorted; nil where there is no such module.
  public static func names(in module: String) -> [String]? {
    guard let module = modules.first(where: { $0.path == module }) else { return nil }
    let inner = modules.filter { $0.path.hasPrefix(module.path + ".") }.map(\.name)
    return (module.functions.map(\.name) + module.values.map(\.name) + inner).sorted()
  }

  /// Everything that the library holds, in full and sorted: `lookahead`, `lookahead.http`, `lookahead.http.get`.
  public static let names: [String] =
    modules.flatMap { module in
      [module.path] + module.functions.map { "\(module.path).\($0.name)" }
        + module.values.map { "\(module.path).\($0.name)" }
    }.sorted()
}

/// What the REPL asks: the text about a name, and the names that begin like one.
extension APIDescription {
  /// What is known about a name, as lines of at most `width` letters where words allow; nil for a name that is not there.
  ///
  /// `lookahead.http.get`, `http.get`, `source.fetch`, `context:append`, `view` and `lookahead.source` are such names. Where
  /// several things share one, as `source` the call and a source, all of them are given.
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
