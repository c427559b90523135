/// How a fetch handler uses its context, and how it ends.
struct HandlerReading {
  let body: FunctionBody
  /// Fields of the context that are read, and those that are set.
  private(set) var read: Set<String> = []
  private(set) var set: [String: Int] = [:]
  /// Methods of the context that are called.
  private(set) var methods: Set<String> = []
  /// Whether the context is passed to code that the analysis can't see.
  private(set) var escapes = false
  /// What the handler itself returns.
  let returns: [[Expression]]

  init(_ body: FunctionBody, in script: ScriptText) {
    self.body = body
    returns = body.body.flatMap(\.returns)
    guard let context = body.given.first else {
      escapes = body.takesMore
      return
    }
    for use in script.uses(of: context) {
      guard let field = use.fields.first else {
        escapes = true
        continue
      }
      if use.isMethod, use.fields.count == 1 {
        methods.insert(field.name)
      } else if use.purpose == .written, use.fields.count == 1 {
        self.set[field.name] = field.token
      } else {
        read.insert(field.name)
      }
      // A method stored elsewhere may be called there.
      if ["complete", "fail", "append"].contains(field.name), !use.isMethod { escapes = true }
    }
  }

  /// Returned table constructors.
  var pages: [[TableEntry]] { returns.compactMap { $0.first?.entries } }

  /// Whether anything but a table constructor is returned.
  var returnsOther: Bool { returns.contains { !$0.isEmpty && $0[0].entries == nil } }

  /// Whether it ends pages with calls.
  var completes: Bool { methods.contains("complete") || methods.contains("fail") }

  /// Whether a page, or the context, gets this key.
  func gives(_ key: String) -> Bool {
    self.set[key] != nil
      || pages.contains { $0.contains { $0.name == key && !$0.value.isNil || $0.key != nil } }
  }
}

extension Statement {
  /// The values of its `return` statements, excluding those of nested functions.
  var returns: [[Expression]] {
    switch self {
    case .return(let values): [values]
    case .block(_, let bodies): bodies.flatMap { $0.flatMap(\.returns) }
    case .loop(_, _, _, let body): body.flatMap(\.returns)
    case .local, .localFunction, .assignment, .call: []
    }
  }
}
