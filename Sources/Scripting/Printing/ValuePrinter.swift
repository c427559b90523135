import Lua

/// Prints values without calling anything: only raw fields, and the records behind host objects.
struct ValuePrinter {
  private let style: PrintStyle
  private let stack: LuaStack
  /// The expanded tables, outermost first, and the paths to them.
  private var open: [(identity: UInt, path: String)] = []
  /// Pushes a field that a host object answers to; false, with nothing pushed, if it does not.
  private let ask: (_ index: Int, _ name: String) -> Bool
  /// Entries that may still be shown, at any depth.
  private var room: Int

  init(_ stack: LuaStack, _ style: PrintStyle, ask: @escaping (Int, String) -> Bool = { _, _ in false }) {
    self.ask = ask
    self.stack = stack
    self.style = style
    room = max(1000, 4 * style.items)
  }

  /// The value on top of the stack, which is popped.
  mutating func text(named name: String) -> String {
    let node = node(at: stack.count, path: name, depth: 0)
    stack.pop()
    return node.lines(indent: 0, before: 0, style, isOutermost: true).map(style.text(of:)).joined(
      separator: "\n")
  }

  /// The value at `index`, counted from the bottom, reached by `path` through `depth` tables.
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

  /// Nil for anything but a plain value.
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

  /// Functions, coroutines and userdata.
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

/// Tables: elements in order, then numbers, booleans and names, then other keys.
extension ValuePrinter {
  private mutating func table(at index: Int, path: String, depth: Int) -> PrintedNode {
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

  /// The state of an object if the host keeps it; nil for other objects.
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

  /// Pushes the contents of a sealed table of the host; false if it is not one.
  private func pushMembersOfSealed(_ index: Int) -> Bool {
    guard stack.pushMetatable(of: index) else { return false }
    let isSealed = stack.field("__sealed", of: -1) { $0.truth(at: $1) }
    if isSealed { stack.pushField("__index", of: -1) }
    stack.remove(at: isSealed ? stack.count - 1 : stack.count)
    return isSealed
  }

  /// The script's name for a kind of table.
  private func scriptTitle(at index: Int) -> PrintedLine {
    guard stack.pushMetatable(of: index) else { return [] }
    defer { stack.pop() }
    guard let name = stack.field("__name", of: -1, { $0.shownString(at: $1) }),
      stack.unmadeRows(at: index) == nil
    else { return [] }
    return [PrintedPiece(text: PrintedString.plain(String(name.prefix(40))) + " ", kind: .remark)]
  }

  private func isEmpty(_ index: Int) -> Bool {
    if stack.unmadeRows(at: index) != nil { return false }
    return stack.isEmptyTable(at: index)
  }

  /// Number of list elements, including lazy ones.
  private func length(of index: Int) -> Int { stack.unmadeRows(at: index) ?? stack.length(of: index) }

  private func pushElement(_ position: Int, of index: Int) {
    if stack.unmadeRows(at: index) != nil {
      stack.pushRow(position, of: index)
    } else {
      stack.pushElement(position, of: index)
    }
  }

  private mutating func entries(
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

  /// Pops the value off the stack.
  private mutating func add(_ key: PrintedLine, to table: inout PrintedTable, path: String, _ depth: Int) {
    room -= 1
    table.entries.append(
      PrintedTable.Entry(key: key, value: node(at: stack.count, path: path, depth: depth + 1)))
    stack.pop()
  }
}

/// Lists of records: columns by the names of their fields.
extension ValuePrinter {
  /// Nil for anything but a list of at least two tables with only names as keys.
  private mutating func records(at index: Int, path: String, depth: Int) -> PrintedRecords? {
    let length = length(of: index)
    guard length >= 2, style.items >= 2 else { return nil }
    if stack.unmadeRows(at: index) == nil, stack.pairCount(of: index) != length { return nil }
    let shown = min(length, style.items)
    var columns: Set<String> = []
    for position in 1...shown {
      pushElement(position, of: index)
      defer { stack.pop() }
      guard let names = recordNames(at: stack.count) else { return nil }
      columns.formUnion(names)
    }
    guard (1...60).contains(columns.count) else { return nil }
    let rest = length > shown ? "… \(length - shown) more" : ""
    let asTable = entries(of: index, title: [], path: path, depth: depth)
    let rows = (1...shown).map { position in
      row(position, of: index, columns, path: path, depth: depth)
    }
    return PrintedRecords(
      columns: columns.sorted { ($0 == "id" ? 0 : 1, $0) < ($1 == "id" ? 0 : 1, $1) }, rows: rows, rest: rest,
      asTable: asTable)
  }

  /// The field names of the table at `index`; nil if it is not a record.
  private func recordNames(at index: Int) -> [String]? {
    guard stack.isTable(at: index), stack.unmadeRows(at: index) == nil, HostObject(stack, at: index) == nil
    else {
      return nil
    }
    var wanted = LuaKeys.Wanted(prefix: "")
    wanted.limit = 61
    let keys = stack.keys(of: index, wanted)
    guard (1...60).contains(keys.count), keys.pairs == keys.count else { return nil }
    return keys.keys.map(\.text)
  }

  private mutating func row(
    _ position: Int, of index: Int, _ columns: Set<String>, path: String, depth: Int
  ) -> PrintedRecords.Row {
    pushElement(position, of: index)
    defer { stack.pop() }
    var row = PrintedRecords.Row(name: "\(position)", cells: [:])
    for name in columns {
      stack.pushField(name, of: -1)
      defer { stack.pop() }
      if stack.isNil(at: -1) { continue }
      row.cells[name] = cell(at: stack.count, path: "\(path)[\(position)].\(name)", depth: depth)
    }
    return row
  }

  /// Strings in columns are not quoted.
  private mutating func cell(at index: Int, path: String, depth: Int) -> PrintedNode {
    guard stack.isString(at: index) else { return node(at: index, path: path, depth: depth + 2) }
    let quoted = stack.withBytes(at: index) { PrintedString.quoted($0, limit: style.stringLimit) } ?? []
    guard var text = quoted.first, quoted.count == 1 else { return .line(quoted) }
    text.text = String(text.text.dropFirst().dropLast()).replacing("\\\"", with: "\"")
    return .line([text])
  }
}

extension ScriptTask.State {
  /// The user's word for it.
  var word: String {
    switch self {
    case .ready: "runs"
    case .waiting: "waits"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}
