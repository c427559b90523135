/// An expression of a script.
struct Expression {
  /// Offset of its first token.
  let token: Int
  let kind: Kind

  indirect enum Kind {
    case name(NameUse)
    /// A string without relevant escapes.
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
    /// `and`, `or`, `not`, `==`, `~=`: operands may be nil.
    case test([Expression])
    /// Other operators: operands must not be nil.
    case operation([Expression])
    case parentheses(Expression)
  }
}

/// An entry of a table constructor.
struct TableEntry {
  /// Offset of its first token.
  let token: Int
  /// A name, or a string in brackets; nil for list elements and computed keys.
  let name: String?
  /// A computed key.
  let key: Expression?
  let value: Expression
}

/// A function literal.
struct FunctionBody {
  let parameters: [LocalName]
  /// Whether `...` follows them.
  let takesMore: Bool
  /// The implicit `self` of a function declared with a colon.
  let itself: LocalName?
  let body: [Statement]
  /// Offsets of its tokens, from `function` or `(` to `end`.
  let tokens: Range<Int>

  /// Its parameters, including `self`, in order.
  var given: [LocalName] { (itself.map { [$0] } ?? []) + parameters }
}

/// A statement, as far as checks distinguish them.
indirect enum Statement {
  case local([LocalName], [Expression])
  case localFunction(LocalName, FunctionBody)
  /// Also `function a.b()`, with one target and one value.
  case assignment([Expression], [Expression])
  case call(Expression)
  case `return`([Expression])
  /// `do`, `while`, `repeat` and `if`: conditions and blocks, in order.
  case block(conditions: [Expression], bodies: [[Statement]])
  /// `for` with its variables, its expressions, and its body.
  case loop([LocalName], isNumeric: Bool, [Expression], [Statement])
}

/// A use of a name.
struct NameUse {
  let name: String
  /// Offset of its token.
  let token: Int
  /// The local it refers to; nil for a global.
  let local: LocalName?
  /// Names of the locals visible here; only for globals.
  let visible: [String]
}

/// A local variable; each declaration is a distinct one.
final class LocalName {
  enum Role { case local, function, parameter, loop, implicit }

  let name: String
  let token: Int
  let role: Role
  /// `<const>`, `<close>`.
  let attribute: String?
  /// Function depth of its declaration.
  let depth: Int
  /// Its initial value, if a single expression for this name alone.
  var value: Expression?

  init(_ name: String, token: Int, role: Role, attribute: String? = nil, depth: Int) {
    self.name = name
    self.token = token
    self.role = role
    self.attribute = attribute
    self.depth = depth
  }
}
