/// A name, or a chain of fields that begins with one, where it is used: `lookahead.http.get`, `page:items`.
struct ChainUse {
  /// What happens to the value there.
  enum Purpose {
    /// It goes elsewhere: an argument, a value, an entry.
    case read
    /// It is compared, negated or a condition: nil is fine here.
    case tested
    case called
    /// A field or an element of it is reached for.
    case indexed
    /// An operator is applied that nil has not.
    case operated
    case written
  }

  let root: NameUse
  /// Fields behind the name, with their tokens.
  var fields: [(name: String, token: Int)] = []
  let purpose: Purpose
  /// The last field is a method, called with a colon.
  var isMethod = false
  /// An error here is caught by `pcall` or its like.
  let isGuarded: Bool
  /// Functions around it, the innermost last, by their first token.
  let functions: [Int]
}

/// A call that is written out: what is called, and with what.
struct CallUse {
  let callee: ChainUse
  let arguments: [Expression]
  /// The token where the call begins.
  let token: Int
}

extension Expression {
  /// The name and the fields behind it; nil for all that is computed.
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

  /// The expression itself, out of its parentheses.
  var bare: Expression {
    if case .parentheses(let inner) = kind { return inner.bare }
    return self
  }

  /// Whether it is the word nil.
  var isNil: Bool {
    if case .constant("nil") = bare.kind { return true }
    return false
  }

  /// The function that is written here.
  var function: FunctionBody? {
    if case .function(let body) = bare.kind { return body }
    return nil
  }

  /// The entries of the table that is written here.
  var entries: [TableEntry]? {
    if case .table(let entries) = bare.kind { return entries }
    return nil
  }
}
