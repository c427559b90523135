/// Something a user can look up.
enum APITopic {
  case module(APIModule)
  /// A function of a module or a method of an object; `owner` is the prefix of its name, including the dot or colon.
  case function(APIFunction, owner: String)
  /// A key, a field or a value; `owner` as above.
  case field(APIField, owner: String)
  case type(APIClass)
  case missing(MissingGlobal)

  /// Its full name: `lookahead.http.get`, `source.pageSize`, `context:append`, `view`.
  var name: String {
    switch self {
    case .module(let module): module.path
    case .function(let function, let owner): owner + function.name
    case .field(let field, let owner): owner + field.name
    case .type(let type): type.word
    case .missing(let global): global.name
    }
  }

  /// All topics, in order of description.
  static let all: [APITopic] =
    APIDescription.modules.flatMap(topics) + APIDescription.classes.flatMap(topics)
    + ScriptGlobals.missing.map { .missing($0) }

  private static func topics(of module: APIModule) -> [APITopic] {
    let owner = module.path + "."
    return [.module(module)] + module.functions.map { .function($0, owner: owner) }
      + module.values.map { .field($0, owner: owner) }
  }

  /// A table of keys is described with the call that takes it.
  private static func topics(of type: APIClass) -> [APITopic] {
    let isTold = type.role == .object || !type.word.hasPrefix("lookahead.")
    return (isTold ? [.type(type)] : []) + type.methods.map { .function($0, owner: type.word + ":") }
      + type.fields.map { .field($0, owner: type.word + ".") }
  }
}

extension APITopic {
  /// The text for `:doc`: the signature, what it does, its parameters, an example.
  func text(width: Int) -> String {
    let parts = parts(width)
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func parts(_ width: Int) -> [String] {
    switch self {
    case .module(let module):
      let call = module.call.map { [module.path + $0.signature.brackets, $0.summary] } ?? []
      let rows =
        module.functions.map { ($0.name + $0.signature.brackets, $0.summary) }
        + module.values.map { ($0.name, $0.summary) }
      return [module.path, module.summary.filled(width)] + call + [Self.columns(rows, width)]
        + (module.call.map { Self.keys($0, width) } ?? [])
    case .function(let function, let owner):
      return [owner + function.signature.text, Self.facts(function)]
        + [function.summary, function.details].map { $0.filled(width) }
        + function.overloads.map { "also: \($0)" } + Self.keys(function, width) + [Self.example(function)]
    case .field(let field, let owner): return [owner + field.text, field.sentence.filled(width)]
    case .type(let type):
      let rows =
        type.fields.map { ($0.text, $0.sentence) }
        + type.methods.map { (":" + $0.name + $0.signature.brackets, $0.summary) }
      return [type.word, type.summary.filled(width), type.details.filled(width), Self.columns(rows, width)]
    case .missing(let global):
      return [global.name, "Scripts do not have it" + (global.advice.isEmpty ? "." : ": \(global.advice).")]
    }
  }

  private static func facts(_ function: APIFunction) -> String {
    let waits = function.waits ? ["waits"] : []
    let needs = function.capability.map { ["needs --allow-\($0.rawValue)"] } ?? []
    return "(" + (waits + needs + ["since \(function.since)"]).joined(separator: ", ") + ")"
  }

  /// The keys of the tables that a function takes.
  private static func keys(_ function: APIFunction, _ width: Int) -> [String] {
    function.signature.parameters.compactMap { parameter in
      guard let type = APIDescription.type(named: parameter.type), type.role == .keys else { return nil }
      return columns(type.fields.map { ($0.text, $0.sentence) }, width)
    }
  }

  private static func example(_ function: APIFunction) -> String {
    guard !function.example.isEmpty else { return "" }
    return function.example.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
  }

  /// Names with their meanings beside them, or below if the name is long.
  private static func columns(_ rows: [(name: String, meaning: String)], _ width: Int) -> String {
    let limit = width / 3
    let column = 4 + (rows.map(\.name.count).filter { $0 <= limit }.max() ?? 0)
    let indentation = "\n" + String(repeating: " ", count: column)
    return rows.map { name, meaning in
      let text = meaning.filled(width - column).replacing("\n", with: indentation)
      let isLong = name.count > limit
      return "  " + name
        + (isLong ? indentation : String(repeating: " ", count: column - 2 - name.count)) + text
    }.joined(separator: "\n")
  }
}

extension APIField {
  /// Its name and type.
  var text: String { parameter.text }

  /// Its meaning, with the default.
  var sentence: String { defaultText.isEmpty ? summary : "\(summary) Default: \(defaultText)." }
}
