import Lua

/// Host functions on CSV.
extension Workflow {
  func defineCSV(in host: HostTable) {
    host.add("csvReader", "csv.decode") { call in
      let stack = call.stack
      let separator = try Self.separator(call, at: 1)
      let columns = stack.isTable(at: 3) ? DefinitionFields(stack: stack, table: 3).texts : nil
      stack.push(
        owner: CSVTable(
          reader: CSVReader(separator: separator), hasHeader: stack.truth(at: 2), columns: columns))
      return .results(1)
    }
    host.add("csvRead", "csv.decode") { call in
      let stack = call.stack
      guard let table = stack.owner(at: 1) as? CSVTable else { return .nothing }
      let isEnd = stack.truth(at: 3)
      let result = stack.withBytes(at: 2) { text in
        Result { () throws(CSVError) in try table.reader.read(text, isEnd: isEnd) }
      }
      switch result {
      case .success(let records)?: table.push(records, on: stack)
      case .failure(let error)?:
        throw HostFunctionError.misuse("\(call.name): line \(error.line): \(error.message)")
      case nil: stack.pushTable()
      }
      return .results(1)
    }
    host.add("csvEncode", "csv.encode") { call in
      call.stack.push(try Self.encode(call))
      return .results(1)
    }
  }

  private static func separator(_ call: HostFunctionCall, at index: Int) throws -> UInt8 {
    let text = Array((call.stack.string(at: index) ?? "").utf8)
    guard text.count == 1 else {
      throw HostFunctionError.misuse("\(call.name): separator: expected one character")
    }
    return text[0]
  }

  /// csvEncode(rows, separator, header, columns)
  private static func encode(_ call: HostFunctionCall) throws -> String {
    let stack = call.stack
    let separator = try separator(call, at: 2)
    stack.forEachPair(of: 1) { _ in }
    let count = stack.length(of: 1)
    var columns = stack.isTable(at: 4) ? DefinitionFields(stack: stack, table: 4).texts : []
    if columns.isEmpty { columns = names(of: stack, rows: count) }
    let joiner = String(UnicodeScalar(separator))
    var lines: [String] = []
    if stack.truth(at: 3), !columns.isEmpty {
      lines.append(columns.map { csvField($0, separator: separator) }.joined(separator: joiner))
    }
    for position in stride(from: 1, through: count, by: 1) {
      stack.pushElement(position, of: 1)
      guard stack.isTable(at: -1) else {
        throw HostFunctionError.misuse(
          "csv.encode: row \(position): expected a table, got \(stack.typeName(at: -1))")
      }
      lines.append(cells(stack, columns).map { csvField($0, separator: separator) }.joined(separator: joiner))
      stack.pop()
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  /// The names of all rows' fields, sorted: tables have no order of their own.
  private static func names(of stack: LuaStack, rows: Int) -> [String] {
    var names: Set<String> = []
    for position in stride(from: 1, through: rows, by: 1) {
      stack.pushElement(position, of: 1)
      if stack.isTable(at: -1) {
        stack.forEachPair(of: -1) { if let name = $0.string(at: -2) { names.insert(name) } }
      }
      stack.pop()
    }
    return names.sorted()
  }

  /// The row on the top: its fields in the order of the columns, or its elements where there are none.
  private static func cells(_ stack: LuaStack, _ columns: [String]) -> [String] {
    guard columns.isEmpty else {
      return columns.map { name in stack.field(name, of: stack.absolute(-1)) { text($0, at: $1) } }
    }
    return (1...max(1, stack.length(of: -1))).map { position in
      stack.pushElement(position, of: -1)
      defer { stack.pop() }
      return text(stack, at: -1)
    }
  }

  private static func text(_ stack: LuaStack, at index: Int) -> String {
    if stack.isTable(at: index) { return (try? stack.json(at: index)) ?? "" }
    return stack.isNil(at: index) || stack.isNull(at: index) ? "" : stack.describe(at: index)
  }
}

/// A reader and the names of its columns.
private final class CSVTable {
  let reader: CSVReader
  private let hasHeader: Bool
  private var columns: [String]?

  init(reader: CSVReader, hasHeader: Bool, columns: [String]?) {
    self.reader = reader
    self.hasHeader = hasHeader && columns == nil
    self.columns = columns
  }

  /// Pushes the records as a list: by name, or as lists where there are no names.
  func push(_ records: [[String]], on stack: LuaStack) {
    var records = records[...]
    if hasHeader, columns == nil { columns = records.popFirst() }
    stack.pushTable(elements: records.count)
    for (position, record) in records.enumerated() {
      if let columns {
        stack.pushTable(fields: columns.count)
        for (name, cell) in zip(columns, record) { stack.setField(name, of: -1, to: .string(cell)) }
      } else {
        stack.push(list: record) { $0.push($1) }
      }
      stack.setElement(position + 1, of: -2)
    }
    stack.markArray(at: -1)
  }
}
