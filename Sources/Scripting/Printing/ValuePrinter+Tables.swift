import Lua

/// Tables: elements in their order, then numbers, booleans and names, then what else there is.
extension ValuePrinter {
  mutating func table(at index: Int, path: String, depth: Int) -> PrintedNode {
    let object = HostObject(stack, at: index)
    let title = object.map { [PrintedPiece(text: $0.name + " ", kind: .remark)] } ?? scriptTitle(at: index)
    let top = stack.count
    defer { stack.truncate(to: top) }
    if stack.pushViewFields(of: index) {
      return .table(
        entries(of: top + 1, title: [PrintedPiece(text: "view ", kind: .remark)], path: path, depth: depth))
    }
    if let object, let states = states(of: object, at: index, title: title, path: path, depth: depth) {
      return states
    }
    let fields =
      object.flatMap { $0.push(.record, on: stack) > 0 ? top + 1 : nil }
      ?? (pushMembersOfSealed(index) ? top + 1 : index)
    guard !isEmpty(fields) else { return .line(title + [PrintedPiece(text: "{}")]) }
    guard depth < style.depth, room > 0 else {
      return .line(title + [PrintedPiece(text: "{…}", kind: .remark)])
    }
    if object == nil, let records = records(at: index, path: path, depth: depth) { return .records(records) }
    return .table(entries(of: fields, title: title, object, path: path, depth: depth))
  }

  /// What the host tells of an object whose state is its own; nil for other objects.
  private mutating func states(
    of object: HostObject, at index: Int, title: PrintedLine, path: String, depth: Int
  ) -> PrintedNode? {
    if object.name == "task" {
      let task = object.field("handle", on: stack) { $0.owner(at: -1) } as? ScriptTask
      return task.map { .line(title + [PrintedPiece(text: "(\($0.state.word))", kind: .remark)]) }
    }
    guard !object.states.isEmpty, depth < style.depth else { return nil }
    var table = PrintedTable(title: title)
    for name in object.states {
      guard ask(index, name) else { continue }
      add([PrintedPiece(text: name, kind: .key)], to: &table, path: "\(path).\(name)", depth)
    }
    return .table(table)
  }

  /// Pushes what stands behind a table of ours that scripts may not change; false where it is no such table.
  private func pushMembersOfSealed(_ index: Int) -> Bool {
    guard stack.pushMetatable(of: index) else { return false }
    let isSealed = stack.field("__sealed", of: -1) { $0.truth(at: $1) }
    if isSealed { stack.pushField("__index", of: -1) }
    stack.remove(at: isSealed ? stack.count - 1 : stack.count)
    return isSealed
  }

  /// What the script calls a kind of table.
  private func scriptTitle(at index: Int) -> PrintedLine {
    guard stack.pushMetatable(of: index) else { return [] }
    defer { stack.pop() }
    guard let name = stack.field("__name", of: -1, { $0.string(at: $1) }), stack.unmadeRows(at: index) == nil
    else { return [] }
    return [PrintedPiece(text: PrintedString.plain(String(name.prefix(40))) + " ", kind: .remark)]
  }

  private func isEmpty(_ index: Int) -> Bool {
    if stack.unmadeRows(at: index) != nil { return false }
    return stack.isEmptyTable(at: index)
  }

  /// Elements of a list, made or not.
  func length(of index: Int) -> Int { stack.unmadeRows(at: index) ?? stack.length(of: index) }

  func pushElement(_ position: Int, of index: Int) {
    if stack.unmadeRows(at: index) != nil {
      stack.pushRow(position, of: index)
    } else {
      stack.pushElement(position, of: index)
    }
  }

  mutating func entries(
    of index: Int, title: PrintedLine, _ object: HostObject? = nil, path: String, depth: Int
  ) -> PrintedTable {
    var table = PrintedTable(title: title)
    let length = length(of: index)
    for position in stride(from: 1, through: min(length, style.items), by: 1) where room > 0 {
      pushElement(position, of: index)
      add([], to: &table, path: "\(path)[\(position)]", depth)
    }
    let elements = table.entries.count
    let others = TableKeys(stack, index, length: length, limit: max(0, style.items - elements))
    var shown = 0
    others.forEach { key, stack in
      guard room > 0 else { return }
      shown += 1
      if let object, let name = key.fieldName, object.knows(name, on: stack) == false { return }
      stack.pushCopy(of: -1)
      add([PrintedPiece(text: key.text, kind: .key)], to: &table, path: path + key.step, depth)
    }
    let hidden = length - elements + others.count - shown
    if hidden > 0 { table.rest = "… \(hidden) more" }
    return table
  }

  /// Takes the value off the top of the stack.
  private mutating func add(_ key: PrintedLine, to table: inout PrintedTable, path: String, _ depth: Int) {
    room -= 1
    table.entries.append(
      PrintedTable.Entry(key: key, value: node(at: stack.count, path: path, depth: depth + 1)))
    stack.pop()
  }
}
