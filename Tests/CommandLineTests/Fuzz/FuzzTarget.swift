import Scripting

/// Something of the script API that can be called or set, with what it takes.
struct FuzzTarget: Sendable {
  /// As people write it: `lookahead.http.get`, `source:with`, `source.pageSize`.
  let name: String
  let parameters: [APIParameter]
  private let form: Form

  private enum Form {
    case function
    case method(APIClass)
    case field(APIClass)
  }

  /// Every function, method and field of the description.
  static let all: [FuzzTarget] =
    functions.map { FuzzTarget(name: $0.name, parameters: $0.function.signature.parameters, form: .function) }
    + objects.flatMap { type in methods(of: type) + fields(of: type) }

  /// Functions by their names in full; a module that can be called is one, too.
  private static let functions: [(name: String, function: APIFunction)] = APIDescription.modules.flatMap {
    module in
    let call = module.call.map { [(module.path, $0)] } ?? []
    return call + module.functions.map { ("\(module.path).\($0.name)", $0) }
  }

  /// Classes whose values the host makes.
  static let objects = APIDescription.classes.filter { $0.role == .object }

  private static func methods(of type: APIClass) -> [FuzzTarget] {
    type.methods.map { method in
      FuzzTarget(
        name: "\(type.word):\(method.name)", parameters: method.signature.parameters, form: .method(type))
    }
  }

  private static func fields(of type: APIClass) -> [FuzzTarget] {
    let inherited = type.parent.flatMap { APIDescription.type(named: $0) }?.fields ?? []
    return (type.fields + inherited).map { field in
      FuzzTarget(name: "\(type.word).\(field.name)", parameters: [field.parameter], form: .field(type))
    }
  }

  /// The statement that uses it with such arguments.
  func statement(_ arguments: [String]) -> String {
    let list = arguments.joined(separator: ", ")
    switch form {
    case .function: return use("\(name)(\(list))")
    case .method(let type):
      return "with(\"\(type.name)\", function(object) \(use("object:\(lastName)(\(list))")) end)"
    case .field(let type):
      let value = arguments.first ?? "nil"
      return
        "with(\"\(type.name)\", function(object) object.\(lastName) = \(value) exercise(\"\(type.name)\", object) end)"
    }
  }

  /// The call as what a script returns; nil for what is no declaration.
  func returned(_ arguments: [String]) -> String? {
    guard case .function = form, Self.results[name] != nil else { return nil }
    return "\(name)(\(arguments.joined(separator: ", ")))"
  }

  /// The method of one object, called on something else.
  func statement(on stranger: String, _ arguments: [String]) -> String? {
    guard case .method(let type) = form else { return nil }
    let list = ([stranger] + arguments).joined(separator: ", ")
    return "with(\"\(type.name)\", function(object) return object.\(lastName)(\(list)) end)"
  }

  /// A call on an object that is there already, as one of several.
  func call(on object: String, _ arguments: [String]) -> String {
    switch form {
    case .function: "\(name)(\(arguments.joined(separator: ", ")))"
    case .method: "\(object):\(lastName)(\(arguments.joined(separator: ", ")))"
    case .field: "\(object).\(lastName) = \(arguments.first ?? "nil")"
    }
  }

  /// Whether it is called, not set.
  var isCall: Bool { if case .field = form { false } else { true } }

  /// The class of what it gives.
  var result: String? { Self.results[name] }

  /// The class of its object.
  var type: APIClass? {
    switch form {
    case .function: nil
    case .method(let type), .field(let type): type
    }
  }

  private var lastName: String { String(name.split { $0 == "." || $0 == ":" }.last ?? "") }

  /// An expression whose result is used as what it is.
  private func use(_ expression: String) -> String {
    guard let result = Self.results[name] else { return "return \(expression)" }
    return "local made = \(expression) exercise(\"\(result)\", made) return made"
  }

  /// Classes of results, by the names of calls.
  private static let results: [String: String] = {
    let methods = objects.flatMap { type in
      type.methods.map { (name: "\(type.word):\($0.name)", function: $0) }
    }
    var results: [String: String] = [:]
    for (name, function) in functions + methods {
      guard let result = function.signature.results.first, case .object(let type) = LuaType(result.type)
      else {
        continue
      }
      results[name] = type.name
    }
    return results
  }()
}
