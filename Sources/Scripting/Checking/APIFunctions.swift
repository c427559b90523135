/// The description of the script API, indexed for checks.
enum APIFunctions {
  /// Functions by full path, such as `lookahead.http.get`.
  private static let byPath: [String: APIFunction] = {
    var functions: [String: APIFunction] = [:]
    for module in APIDescription.modules {
      functions[module.path] = module.call
      for function in module.functions { functions["\(module.path).\(function.name)"] = function }
    }
    return functions
  }()

  static subscript(path: [String]) -> APIFunction? { byPath[path.joined(separator: ".")] }

  private static let classes = Dictionary(
    APIDescription.classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The only class that a type names, such as `HTTPOptions` in `HTTPOptions|string`; nil if it names several or none.
  static func type(_ text: String) -> APIClass? {
    if classes[text] != nil { return classes[text] }
    let words = text.split { $0 == "|" || $0 == "?" }
    let named = words.compactMap { classes[String($0)] }
    // Beside a class, a table of any kind may have any key.
    let isOpen = words.contains { $0.hasPrefix("table") || $0 == "any" }
    return named.count == 1 && !isOpen ? named[0] : nil
  }

  /// The only class of keys that a type names: a table that is written down is no object of the host.
  static func keys(_ text: String) -> APIClass? {
    let keys = text.split { $0 == "|" || $0 == "?" }.filter { classes[String($0)]?.role != .object }
    return type(keys.joined(separator: "|")).flatMap { $0.role == .keys ? $0 : nil }
  }

  /// A field or a method of a class, including inherited ones.
  static func member(_ name: String, of type: APIClass) -> (field: APIField?, method: APIFunction?)? {
    var current: APIClass? = type
    while let type = current {
      if let field = type.fields.first(where: { $0.name == name }) { return (field, nil) }
      if let method = type.methods.first(where: { $0.name == name }) { return (nil, method) }
      current = type.parent.flatMap { classes[$0] }
    }
    return nil
  }

  /// All names an object of a class has.
  static func members(of type: APIClass) -> [String] {
    let own = type.fields.map(\.name) + type.methods.map(\.name)
    return own + (type.parent.flatMap { classes[$0] }.map { members(of: $0) } ?? [])
  }
}
