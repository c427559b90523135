/// One thing that a person can ask about.
enum APITopic {
  case module(APIModule)
  /// A function of a module or a method of an object; `owner` is what stands before its name, with its dot or colon.
  case function(APIFunction, owner: String)
  /// A key, a field or a value; `owner` as above.
  case field(APIField, owner: String)
  case type(APIClass)
  case missing(MissingGlobal)

  /// Its name in full: `lookahead.http.get`, `source.pageSize`, `context:append`, `view`.
  var name: String {
    switch self {
    case .module(let module): module.path
    case .function(let function, let owner): owner + function.name
    case .field(let field, let owner): owner + field.name
    case .type(let type): type.word
    case .missing(let global): global.name
    }
  }

  /// All of them, in the order of the description.
  static let all: [APITopic] =
    APIDescription.modules.flatMap(topics) + APIDescription.classes.flatMap(topics)
    + ScriptGlobals.missing.map { .missing($0) }

  private static func topics(of module: APIModule) -> [APITopic] {
    let owner = module.path + "."
    return [.module(module)] + module.functions.map { .function($0, owner: owner) }
      + module.values.map { .field($0, owner: owner) }
  }

  /// A table of keys is told with the call that takes it.
  private static func topics(of type: APIClass) -> [APITopic] {
    let isTold = type.role == .object || !type.word.hasPrefix("lookahead.")
    return (isTold ? [.type(type)] : []) + type.methods.map { .function($0, owner: type.word + ":") }
      + type.fields.map { .field($0, owner: type.word + ".") }
  }
}
