import Lua

/// Shows values without calling anything: raw fields only, and what is behind objects of the host.
struct ValuePrinter {
  let style: PrintStyle
  let stack: LuaStack
  /// The tables that are open, outermost first, and the ways to them.
  private var open: [(identity: UInt, path: String)] = []
  /// Pushes a field that an object of the host answers to; false, with nothing pushed, where it does not.
  let ask: (_ index: Int, _ name: String) -> Bool
  /// Entries that may still be shown, whatever the depth.
  var room: Int

  init(_ stack: LuaStack, _ style: PrintStyle, ask: @escaping (Int, String) -> Bool = { _, _ in false }) {
    self.ask = ask
    self.stack = stack
    self.style = style
    room = max(1000, 4 * style.items)
  }

  /// The value on the top of the stack, which it takes off.
  mutating func text(named name: String) -> String {
    let node = node(at: stack.count, path: name, depth: 0)
    stack.pop()
    return node.lines(indent: 0, before: 0, style, isOutermost: true).map(style.text(of:)).joined(
      separator: "\n")
  }

  /// The value at `index`, counted from the bottom; it has been reached by `path`, through so many tables.
  mutating func node(at index: Int, path: String, depth: Int) -> PrintedNode {
    if let plain = plain(at: index) { return .line(plain) }
    guard stack.isTable(at: index) else { return .line(opaque(at: index)) }
    guard let identity = stack.identity(at: index), stack.reserve(30) else { return .remark("{…}") }
    if let cycle = open.first(where: { $0.identity == identity }) {
      return .remark("<cycle to \(cycle.path)>")
    }
    open.append((identity, path))
    defer { open.removeLast() }
    return table(at: index, path: path, depth: depth)
  }

  /// Nil for what is no plain value.
  func plain(at index: Int) -> PrintedLine? {
    if stack.isNil(at: index) { return [PrintedPiece(text: "nil", kind: .null)] }
    if stack.isNull(at: index) { return [PrintedPiece(text: "null", kind: .null)] }
    if let value = stack.boolean(at: index) { return [PrintedPiece(text: "\(value)", kind: .boolean)] }
    if let value = stack.number(at: index) {
      let integer = stack.isInteger(at: index) ? stack.integer(at: index) : nil
      return [PrintedPiece(text: integer.map { "\($0)" } ?? "\(value)", kind: .number)]
    }
    return stack.withBytes(at: index) { PrintedString.quoted($0, limit: style.stringLimit) }
  }

  /// Functions, coroutines and what only the host sees into.
  private func opaque(at index: Int) -> PrintedLine {
    let type = stack.typeName(at: index)
    guard type == "function" else {
      return [PrintedPiece(text: type == "thread" ? "coroutine" : type, kind: .function)]
    }
    guard let place = stack.functionLines(at: index) else {
      return [PrintedPiece(text: "function (built in)", kind: .function)]
    }
    let name = PrintedString.plain(place.name)
    let isOurs = name.hasPrefix("lookahead:")
    return [
      PrintedPiece(text: isOurs ? "function (built in)" : "function \(name):\(place.first)", kind: .function)
    ]
  }
}

extension ScriptTask.State {
  /// How a person calls it.
  var word: String {
    switch self {
    case .ready: "runs"
    case .waiting: "waits"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}
