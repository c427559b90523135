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
