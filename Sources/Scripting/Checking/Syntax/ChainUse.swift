/// A use of a name, or of a chain of fields that starts with one: `lookahead.http.get`, `page:items`.
struct ChainUse {
  /// What happens to the value.
  enum Purpose {
    /// It is passed on: an argument, a value, an entry.
    case read
    /// It is compared, negated or a condition: nil is fine.
    case tested
    case called
    /// A field or an element of it is accessed.
    case indexed
    /// An operator is applied that does not accept nil.
    case operated
    case written
  }

  let root: NameUse
  /// Fields after the name, with their tokens.
  var fields: [(name: String, token: Int)] = []
  let purpose: Purpose
  /// Whether the last field is a method, called with a colon.
  var isMethod = false
  /// Whether an error here is caught by `pcall` or similar.
  let isGuarded: Bool
  /// Enclosing functions, innermost last, by their first token.
  let functions: [Int]
}

/// A call: what is called, and the arguments.
struct CallUse {
  let callee: ChainUse
  let arguments: [Expression]
  /// The first token of the call.
  let token: Int
}

extension Expression {
  /// The name and the fields after it; nil if computed.
  var chain: (root: NameUse, fields: [(name: String, token: Int)])? {
    switch kind {
    case .name(let use): return (use, [])
    case .field(let base, let name, let token):
      guard let chain = base.chain else { return nil }
      return (chain.root, chain.fields + [(name, token)])
    case .parentheses(let inner): return inner.chain
    default: return nil
    }
  }

  /// The expression without its parentheses.
  var bare: Expression {
    if case .parentheses(let inner) = kind { return inner.bare }
    return self
  }

  /// Whether it is the literal nil.
  var isNil: Bool {
    if case .constant("nil") = bare.kind { return true }
    return false
  }

  /// The function literal, if it is one.
  var function: FunctionBody? {
    if case .function(let body) = bare.kind { return body }
    return nil
  }

  /// The entries of the table constructor, if it is one.
  var entries: [TableEntry]? {
    if case .table(let entries) = bare.kind { return entries }
    return nil
  }
}
