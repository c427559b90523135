import TestSupport

/// A script that is right, made up from a seed: every name is declared before it is used, and every local is read.
///
/// Nothing in it runs, since all of it is in a function that nobody calls. Some lines are only `-- here`, where a statement
/// may stand.
struct RandomScript {
  private(set) var lines: [String] = []
  private var random: SeededGenerator
  /// Names that can be seen, and so used.
  private var visible: [String] = ["keep"]
  private var indentation = ""
  private var count = 0

  static let slot = "-- here"

  init(seed: UInt64, statements: Int = 12) {
    random = SeededGenerator(seed: seed)
    lines = ["local function keep(...) return ... end", "local function all(...)"]
    indentation = "  "
    for _ in 0..<statements { statement(depth: 0) }
    lines += ["end", "keep(all)"]
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ line: String) { lines.append(indentation + line) }

  private mutating func declare() -> String {
    count += 1
    // Names come again, so that they hide each other.
    return ["a", "value", "item_", "Ünknown".filter(\.isASCII), "end_of"].randomElement(using: &random)!
      + "\(Int.random(in: 0..<6, using: &random))"
  }

  private mutating func block(depth: Int, _ names: [String] = []) {
    let outer = visible
    indentation += "  "
    visible += names
    for name in names { add("keep(\(name))") }
    for _ in 0..<Int.random(in: 1...3, using: &random) { statement(depth: depth + 1) }
    visible = outer
    indentation.removeLast(2)
  }

  private mutating func statement(depth: Int) {
    add(Self.slot)
    switch Int.random(in: depth > 2 ? 0..<5 : 0..<13, using: &random) {
    case 0: local()
    case 1: add("keep(\(expression()), \(expression()))")
    case 2: add("\(variable()) = \(expression())")
    case 3: add("do local t = { \(expression()) } t[ \(expression()) ], t.x = \(expression()), 1 keep(t) end")
    case 4: add("keep { \(entry()), \(entry()); \(entry()) }")
    case 5:
      add("if \(expression()) then")
      block(depth: depth)
      add("elseif \(expression()) then")
      block(depth: depth)
      add("else")
      block(depth: depth)
      add("end")
    case 6: surround("while \(expression()) do", depth: depth, end: "end")
    case 7: surround("repeat", depth: depth, end: "until \(expression())")
    case 8:
      let name = declare()
      surround("for \(name) = 1, \(expression()) do", depth: depth, [name], end: "end")
    case 9:
      let name = declare()
      surround("for _, \(name) in ipairs { \(expression()) } do", depth: depth, [name], end: "end")
    case 10:
      let name = declare()
      surround("local function \(name)(...)", depth: depth, [name], end: "end")
      visible.append(name)
      add("keep(\(name))")
    case 11:
      let name = declare()
      surround("keep(function(self, \(name), ...)", depth: depth, ["self", name], end: "end)")
    default: surround("do -- [[ end", depth: depth, end: "end")
    }
  }

  private mutating func surround(_ head: String, depth: Int, _ names: [String] = [], end: String) {
    add(head)
    block(depth: depth, names)
    add(end)
  }

  private mutating func local() {
    let names = [declare(), declare() + "b"]
    let attribute = ["", "", " <const>"].randomElement(using: &random)!
    add("local \(names[0])\(attribute), \(names[1]) = \(expression()), \(expression())")
    // A constant can't be set, so it is read at once and then hidden.
    if attribute.isEmpty { visible += names } else { visible.append(names[1]) }
    add("keep(\(names[0]), \(names[1]))")
    if !attribute.isEmpty {
      add("local \(names[0]) = \(expression()) keep(\(names[0]))")
      visible.append(names[0])
    }
  }

  private mutating func variable() -> String {
    visible.filter { $0 != "keep" }.randomElement(using: &random) ?? "keep"
  }

  private mutating func entry() -> String {
    let count = self.count
    self.count += 1
    return [
      expression(), "key\(count) = \(expression())", "['a b \(count)'] = \(expression())",
      "[ \(expression()) ] = \(expression())",
    ].randomElement(using: &random)!
  }

  private mutating func expression(depth: Int = 0) -> String {
    if depth > 2 { return variable() }
    let first = { (script: inout RandomScript) in script.expression(depth: depth + 1) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return ["1", "0x1p4", ".5", "3e-2", "nil", "true", "..."].randomElement(using: &random)!
    case 1:
      return ["'end'", "\"local x\\\"\"", "[[ function ]]", "[==[ ]] ]==]"].randomElement(using: &random)!
    case 2: return "(\(first(&self)) .. \(first(&self)))"
    case 3: return "not \(first(&self)) and \(first(&self)) or \(first(&self))"
    case 4: return "-\(variable()) ^ 2 + #\(variable()) // 3"
    case 5: return "\(variable()) < \(variable()) == \(first(&self))"
    case 6: return "string.format('%s', \(first(&self)))"
    case 7: return "(\(variable())):method(\(first(&self))).field[ \(first(&self)) ]"
    case 8: return "\(variable()) 'text'"
    case 9: return "function() return \(variable()) end"
    case 10: return "lookahead.json.decode(\(first(&self)))"
    case 11: return "select('#', ...)"
    case 12: return "math.max(\(variable()), ~\(variable()) & 0xff | 1 << 2)"
    default: return variable()
    }
  }
}
