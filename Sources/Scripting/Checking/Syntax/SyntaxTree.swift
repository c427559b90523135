/// An expression of a script.
struct Expression {
  /// The offset of its first token.
  let token: Int
  let kind: Kind

  indirect enum Kind {
    case name(NameUse)
    /// A text without escapes that matter here.
    case string(String)
    /// nil, true, false, numbers; as written.
    case constant(String)
    case varargs
    case function(FunctionBody)
    case table([TableEntry])
    /// `base.name` and `base["name"]`; the token is the name's.
    case field(Expression, name: String, token: Int)
    case element(Expression, Expression)
    case call(Expression, [Expression])
    /// `base:name(…)`; the token is the name's.
    case method(Expression, name: String, token: Int, [Expression])
    /// `and`, `or`, `not`, `==`, `~=`: any value may stand here.
    case test([Expression])
    /// Other operators: nil may not stand here.
    case operation([Expression])
    case parentheses(Expression)
  }
}

/// One entry of a table in braces.
struct TableEntry {
  /// The offset of its first token.
  let token: Int
  /// A name, or a text in brackets; nil for a place in the list and for computed keys.
  let name: String?
  /// A key that is computed.
  let key: Expression?
  let value: Expression
}

/// A function as it is written.
struct FunctionBody {
  let parameters: [LocalName]
  /// `self`, which a function that is declared with a colon has before its parameters.
  let itself: LocalName?
  let body: [Statement]
  /// The offsets of its tokens, from `function` or `(` to `end`.
  let tokens: Range<Int>

  /// What its caller gives it, in order.
  var given: [LocalName] { (itself.map { [$0] } ?? []) + parameters }
}

/// A statement, as far as checks have to tell them apart.
indirect enum Statement {
  case local([LocalName], [Expression])
  case localFunction(LocalName, FunctionBody)
  /// Also `function a.b()`, with one target and one value.
  case assignment([Expression], [Expression])
  case call(Expression)
  case `return`([Expression])
  /// `do`, `while`, `repeat` and `if`: conditions and blocks, in their order.
  case block(conditions: [Expression], bodies: [[Statement]])
  /// `for` with its names, what it goes over, and its body.
  case loop([LocalName], isNumeric: Bool, [Expression], [Statement])
}

/// A name where it is used.
struct NameUse {
  let name: String
  /// The offset of its token.
  let token: Int
  /// The local that it means; nil for a global.
  let local: LocalName?
  /// Names of the locals that could be meant here; only for globals.
  let visible: [String]
}

/// A local name: each declaration is one of its own.
final class LocalName {
  enum Role { case local, function, parameter, loop, implicit }

  let name: String
  let token: Int
  let role: Role
  /// `<const>`, `<close>`.
  let attribute: String?
  /// How deep in functions it was declared.
  let depth: Int
  /// What it was declared with, where that is one expression for this name alone.
  var value: Expression?

  init(_ name: String, token: Int, role: Role, attribute: String? = nil, depth: Int) {
    self.name = name
    self.token = token
    self.role = role
    self.attribute = attribute
    self.depth = depth
  }
}
