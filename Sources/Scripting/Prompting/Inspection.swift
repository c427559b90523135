import Lua

/// What is known about a value beyond its text.
public struct Inspection: Sendable {
  /// Such as `table`, `source`, `integer`.
  public let type: String
  /// Facts in order, such as `metatable`, `Account`.
  public let rows: [(name: String, text: String)]
}

/// Prints a session's values; nothing of the script is called.
final class ValueInspector {
  private let state: LuaState
  private let scheduler: Scheduler
  private let prompt: Prompt

  init(_ state: LuaState, _ scheduler: Scheduler, _ prompt: Prompt) {
    self.state = state
    self.scheduler = scheduler
    self.prompt = prompt
  }

  /// A value as text, in as many lines as needed; `name` refers to it in cycles.
  func text(of value: PromptValue, named name: String, style: PrintStyle) -> String {
    state.stack.push(value.reference)
    var printer = printer(style)
    return printer.text(named: name)
  }

  /// What is known about a value beyond its text; nothing of the script is called.
  func inspect(_ value: PromptValue, style: PrintStyle = PrintStyle()) -> Inspection {
    let stack = state.stack
    stack.push(value.reference)
    let index = stack.count
    defer { stack.truncate(to: index - 1) }
    if stack.isTable(at: index) { return inspectTable(index, style) }
    if stack.isFunction(at: index) { return inspectFunction(index, style) }
    let type = stack.isInteger(at: index) ? "integer" : value.typeName
    var rows: [(name: String, text: String)] = []
    if let size = stack.withBytes(at: index, { $0.count }) {
      rows.append(("size", "\(size) bytes"))
      let text = stack.shownString(at: index) ?? ""
      if text.utf8.count == size { rows.append(("characters", "\(text.count)")) }
    }
    rows.append(("value", shown(index, style)))
    return Inspection(type: type, rows: rows)
  }

  private func inspectTable(_ index: Int, _ style: PrintStyle) -> Inspection {
    let stack = state.stack
    let object = HostObject(stack, at: index)
    let unmade = stack.unmadeRows(at: index)
    let length = unmade ?? stack.length(of: index)
    var rows: [(name: String, text: String)] = [
      ("elements", "\(length)"), ("keys", "\(unmade ?? stack.pairCount(of: index))"),
    ]
    if unmade != nil { rows.append(("rows", "of a document, made when they are touched")) }
    if object == nil, unmade == nil, stack.pushMetatable(of: index) {
      rows.append(("metatable", shown(stack.count, style)))
      stack.pop()
    }
    if !stack.hasText(at: index) { rows.append(("identity", stack.describe(at: index))) }
    return Inspection(type: object?.name ?? (unmade == nil ? "table" : "rows"), rows: rows)
  }

  private func inspectFunction(_ index: Int, _ style: PrintStyle) -> Inspection {
    let stack = state.stack
    guard let place = stack.functionLines(at: index) else {
      return Inspection(type: "function", rows: [("place", "built in")])
    }
    var rows = [(name: "place", text: "\(place.name):\(place.first)")]
    if place.last > place.first { rows.append(("lines", "\(place.first) to \(place.last)")) }
    if place.name.hasPrefix("lookahead:") { rows = [(name: "place", text: "built in")] }
    var number = 1
    while !place.name.hasPrefix("lookahead:"), let name = stack.pushUpvalue(number, of: index) {
      number += 1
      let text = name == "_ENV" ? "" : shown(stack.count, style)
      stack.pop()
      if name != "_ENV" { rows.append(("upvalue " + name, text)) }
    }
    return Inspection(type: "function", rows: rows)
  }

  /// The value at `index` on one line.
  private func shown(_ index: Int, _ style: PrintStyle) -> String {
    var style = style
    style.depth = 1
    style.stringLimit = min(style.stringLimit, 60)
    style.isVertical = false
    var printer = printer(style)
    let node = printer.node(at: index, path: "_", depth: 0)
    return style.text(of: node.inline(room: style.width, style) ?? [PrintedPiece(text: "{…}", kind: .remark)])
  }

  private func printer(_ style: PrintStyle) -> ValuePrinter {
    prompt.forgetIdleStop()
    return ValuePrinter(state.stack, style) { [unowned self] index, name in
      guard scheduler.running == nil, state.stack.pushMetatable(of: index) else { return false }
      state.stack.pushField("__index", of: -1)
      state.stack.remove(at: state.stack.count - 1)
      state.stack.pushCopy(of: index)
      state.stack.push(name)
      return (try? state.call(arguments: 2, results: 1)) != nil
    }
  }
}
