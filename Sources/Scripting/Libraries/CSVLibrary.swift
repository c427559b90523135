import Lua

/// CSV, read incrementally and written as one text.
final class CSVLibrary: ScriptLibrary {
  private let state: LuaState

  init(_ state: LuaState) {
    self.state = state
  }

  func register(in host: HostTable) {
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
    host.add("csvEncode", "csv.encode") { [unowned self] call in
      try encodeCSV(call).withUnsafeBytes { call.stack.push(bytes: $0) }
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
  private func encodeCSV(_ call: HostFunctionCall) throws -> [UInt8] {
    let stack = call.stack
    let separator = try Self.separator(call, at: 2)
    stack.forEachPair(of: 1) { _ in }
    let count = stack.length(of: 1)
    var columns = stack.isTable(at: 4) ? DefinitionFields(stack: stack, table: 4).texts : []
    if columns.isEmpty { columns = Self.names(of: stack, rows: count) }
    var text = CSVText(separator: separator, limit: state.memoryLeft / 2)
    if stack.truth(at: 3), !columns.isEmpty {
      for name in columns { text.append(cell: name) }
      text.closeLine()
    }
    for position in stride(from: 1, through: count, by: 1) {
      stack.pushElement(position, of: 1)
      guard stack.isTable(at: -1) else {
        throw HostFunctionError.misuse(
          "csv.encode: row \(position): expected a table, got \(stack.typeName(at: -1))")
      }
      do throws(JSONError) {
        try Self.append(stack, columns, to: &text)
      } catch {
        throw HostFunctionError.misuse("csv.encode: row \(position): \(error.message)")
      }
      stack.pop()
      if text.isFull || state.isStopped {
        throw HostFunctionError.misuse(
          "csv.encode: row \(position): more than \(text.limit) bytes of text, which is more than there is memory for"
        )
      }
    }
    return text.bytes
  }

  /// The field names of all rows, sorted: tables are unordered.
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

  /// Appends the row on top: its fields in column order, or its elements if there are no columns.
  private static func append(
    _ stack: LuaStack, _ columns: [String], to text: inout CSVText
  ) throws(JSONError) {
    let count = columns.isEmpty ? max(1, stack.length(of: -1)) : columns.count
    for position in 0..<count where !text.isFull {
      if columns.isEmpty {
        stack.pushElement(position + 1, of: -1)
      } else {
        stack.pushField(columns[position], of: -1)
      }
      defer { stack.pop() }
      text.append(cell: try cell(stack))
    }
    text.closeLine()
  }

  /// The value on top as a cell: a table as JSON, nil as empty.
  private static func cell(_ stack: LuaStack) throws(JSONError) -> String {
    if stack.isTable(at: -1) { return try stack.json(at: -1) }
    return stack.isNil(at: -1) || stack.isNull(at: -1) ? "" : stack.describe(at: -1)
  }
}

/// A reader and its column names.
private final class CSVTable {
  var reader: CSVReader
  private let hasHeader: Bool
  private var columns: [String]?

  init(reader: CSVReader, hasHeader: Bool, columns: [String]?) {
    self.reader = reader
    self.hasHeader = hasHeader && columns == nil
    self.columns = columns
  }

  /// Pushes the records as a list: by name, or as lists if there are no names.
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
