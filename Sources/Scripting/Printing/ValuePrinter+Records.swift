import Lua

/// Lists of records: columns by the names of their fields.
extension ValuePrinter {
  /// Nil for anything but a list of at least two tables that have names for keys, and no other keys.
  mutating func records(at index: Int, path: String, depth: Int) -> PrintedRecords? {
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

  /// The names of the fields of the table at `index`; nil when it is no record.
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

  /// Texts stand without quotes in columns.
  private mutating func cell(at index: Int, path: String, depth: Int) -> PrintedNode {
    guard stack.isString(at: index) else { return node(at: index, path: path, depth: depth + 2) }
    let quoted = stack.withBytes(at: index) { PrintedString.quoted($0, limit: style.stringLimit) } ?? []
    guard var text = quoted.first, quoted.count == 1 else { return .line(quoted) }
    text.text = String(text.text.dropFirst().dropLast()).replacing("\\\"", with: "\"")
    return .line([text])
  }
}
