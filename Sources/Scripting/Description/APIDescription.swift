/// The script API, described once: editor stubs, the linter's standard, `:doc`, completion and the manual's table are
/// generated from it, and tests compare it with what scripts find.
///
/// To add a function, add its entry in the directory `Entries`; nothing else needs to be written.
public enum APIDescription {
  /// The tables of functions: `lookahead`, then its fields in the order users meet them.
  public static let modules: [APIModule] = [
    library, policies, lab, machine, http, json, xml, sqlite, database, files, csv, url, base64, hash, time,
    log,
    environment,
  ]

  /// Tables that scripts write, and objects they receive.
  public static let classes: [APIClass] =
    sourceClasses + fetchingClasses + policyClasses + readingClasses + collectionClasses + worldClasses
    + labClasses
    + machineClasses

  /// The class with this name, such as `Source`.
  public static func type(named name: String) -> APIClass? { classes.first { $0.name == name } }

  /// The keys of the table passed to a call, by the call as written: `lookahead.source`.
  public static func keys(of call: String) -> [APIField]? {
    classes.first { $0.role == .keys && $0.word == call }?.fields
  }

  /// The names in a module, sorted; nil if there is no such module.
  public static func names(in module: String) -> [String]? {
    guard let module = modules.first(where: { $0.path == module }) else { return nil }
    let inner = modules.filter { $0.path.hasPrefix(module.path + ".") }.map(\.name)
    return (module.functions.map(\.name) + module.values.map(\.name) + inner).sorted()
  }

  /// Everything in the library by full name, sorted: `lookahead`, `lookahead.http`, `lookahead.http.get`.
  public static let names: [String] =
    modules.flatMap { module in
      [module.path] + module.functions.map { "\(module.path).\($0.name)" }
        + module.values.map { "\(module.path).\($0.name)" }
    }.sorted()
}

/// Look-ups for the REPL: the text about a name, and names by prefix.
extension APIDescription {
  /// What is known about a name, in lines of at most `width` characters where words allow; nil if there is no such
  /// name.
  ///
  /// Names are, for example, `lookahead.http.get`, `http.get`, `source.fetch`, `context:append`, `view` and
  /// `lookahead.source`. If several things share a name, such as `source` the call and a source, all are included.
  public static func text(for name: String, width: Int = 100) -> String? {
    topics[key(name)].map { $0.map { $0.text(width: width) }.joined(separator: "\n\n") }
  }

  /// The names nearest to an unknown one, nearest first; empty if none is near.
  ///
  /// Names that end with it come first: `latency` finds `view.latency`, `append` finds `context:append`.
  public static func nearestNames(to name: String) -> [String] {
    let wanted = key(name)
    let ending = endings[wanted.lowercased()] ?? []
    if !ending.isEmpty { return Array(ending.prefix(6)) }
    let near = NearestName.all(near: wanted, in: topics.keys).prefix(3).compactMap { topics[$0]?[0].name }
    guard near.isEmpty else { return near }
    return Array(
      NearestName.all(near: wanted, in: endings.keys).prefix(2).flatMap { endings[$0] ?? [] }.prefix(3))
  }

  /// Names by the part after their last dot or colon, in lower case; in order of description.
  private static let endings: [String: [String]] = {
    var endings: [String: [String]] = [:]
    for name in APITopic.all.map(\.name) {
      let last = key(name).split(separator: ".").last.map { $0.lowercased() } ?? name
      if endings[last]?.contains(name) != true { endings[last, default: []].append(name) }
    }
    return endings
  }()

  /// The completions of a prefix, one dot or colon at a time and sorted: `lookahead.ht` has `lookahead.http`.
  ///
  /// `lookahead.` may be omitted: `http.g` has `http.get`.
  public static func names(after start: String) -> [String] {
    let found = writtenNames.filter { name in
      name.hasPrefix(start) && !name.dropFirst(start.count).contains { $0 == "." || $0 == ":" }
    }
    return found.sorted()
  }

  /// Topics by input: without `lookahead.`, and with dots for colons.
  private static let topics = Dictionary(grouping: APITopic.all) { key($0.name) }

  /// All names as users write them, with `lookahead.` and without.
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
