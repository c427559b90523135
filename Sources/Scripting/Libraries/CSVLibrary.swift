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
      let place = stack.string(at: 6) ?? call.name
      let columns = stack.isTable(at: 3) ? DefinitionFields(stack: stack, table: 3).texts : nil
      if let columns, let (_, other) = CSVTable.double(in: columns) {
        throw HostFunctionError.misuse("\(place): columns: the name \"\(columns[other])\" is there twice")
      }
      let encodings = CSVReader.Encoding.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
      let given = stack.string(at: 4) ?? ""
      guard let encoding = CSVReader.Encoding(rawValue: given.lowercased()) else {
        throw HostFunctionError.misuse("\(place): encoding: expected \(encodings), got \"\(given)\"")
      }
      let reader = CSVReader(separator: try Self.separator(call, at: 1), encoding: encoding)
      stack.push(
        owner: CSVTable(
          reader: reader, hasHeader: stack.truth(at: 2), columns: columns, isRagged: stack.truth(at: 5), place
        ))
      return .results(1)
    }
    host.add("csvRead", "csv.decode") { call in
      let stack = call.stack
      guard let table = stack.owner(at: 1) as? CSVTable else { return .nothing }
      let isEnd = stack.truth(at: 3)
      let result = stack.withBytes(at: 2) { text in
        Result { () throws(CSVError) in try table.reader.read(text, isEnd: isEnd) }
      }
      do throws(CSVError) {
        if let records = try result?.get() { try table.push(records, on: stack) } else { stack.pushTable() }
      } catch {
        throw HostFunctionError.misuse("\(table.place): \(error.text)")
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
    guard text.count == 1, !"\"\r\n".utf8.contains(text[0]) else {
      throw HostFunctionError.misuse(
        "\(call.name): separator: expected one character, and no quote or line end")
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
      if !stack.isTable(at: 4), let misfit = Self.misfit(stack, hasNames: !columns.isEmpty) {
        throw HostFunctionError.misuse("csv.encode: row \(position): \(misfit)")
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

  /// Why the row on top can't be written whole, beside rows that have names, or elements; nil where it can.
  private static func misfit(_ stack: LuaStack, hasNames: Bool) -> String? {
    var (named, counted) = (0, 0)
    stack.forEachPair(of: -1) { if $0.isString(at: -2) { named += 1 } else { counted += 1 } }
    if hasNames { return counted > 0 ? "it has elements beside names, or where others have names" : nil }
    return counted == stack.length(of: -1) ? nil : "it has elements with gaps between them"
  }

  /// The field names of all rows, in the order of their bytes: tables are unordered.
  private static func names(of stack: LuaStack, rows: Int) -> [String] {
    // By their bytes: two names that look the same are two columns.
    var names: [[UInt8]: String] = [:]
    for position in stride(from: 1, through: rows, by: 1) {
      stack.pushElement(position, of: 1)
      if stack.isTable(at: -1) {
        stack.forEachPair(of: -1) {
          if $0.isString(at: -2), let name = $0.string(at: -2) { names[Array(name.utf8)] = name }
        }
      }
      stack.pop()
    }
    return names.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Appends the row on top: its fields in column order, or its elements if there are no columns. A number has the digits that it
  /// came with.
  private static func append(
    _ stack: LuaStack, _ columns: [String], to text: inout CSVText
  ) throws(JSONError) {
    let count = columns.isEmpty ? max(1, stack.length(of: -1)) : columns.count
    let elements = columns.isEmpty ? stack.elementDigits(of: -1) : [:]
    for position in 0..<count where !text.isFull {
      let digits: String?
      if columns.isEmpty {
        stack.pushElement(position + 1, of: -1)
        digits = elements[position + 1]
      } else {
        stack.pushField(columns[position], of: -1)
        digits = stack.digits(ofField: columns[position], of: -2)
      }
      defer { stack.pop() }
      if let digits { text.append(cell: digits) } else { text.append(cell: try cell(stack)) }
    }
    text.closeLine()
  }

  /// The value on top as a cell: a text as it is, nil as empty, and all else as JSON.
  private static func cell(_ stack: LuaStack) throws(JSONError) -> String {
    if stack.isNil(at: -1) || stack.isNull(at: -1) { return "" }
    if let text = stack.string(at: -1) { return text }
    return try stack.json(at: -1)
  }
}

/// A reader and its column names.
private final class CSVTable {
  var reader: CSVReader
  /// What is read, for messages.
  let place: String
  private var hasHeader: Bool
  private var columns: [String]?
  private let isRagged: Bool

  init(reader: CSVReader, hasHeader: Bool, columns: [String]?, isRagged: Bool, _ place: String) {
    self.reader = reader
    self.hasHeader = hasHeader
    self.columns = columns
    self.isRagged = isRagged
    self.place = place
  }

  /// The places of a name that is there twice.
  static func double(in names: [String]) -> (first: Int, second: Int)? {
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() {
      if let first = places.updateValue(place, forKey: name) { return (first, place) }
    }
    return nil
  }

  /// Pushes the records as a list: by name, or as lists if there are no names.
  func push(_ records: [CSVReader.Record], on stack: LuaStack) throws(CSVError) {
    var records = records[...]
    if hasHeader, let header = records.popFirst() { try readHeader(header) }
    if let columns { for record in records { try check(record, columns) } }
    stack.pushTable(elements: records.count)
    for (position, record) in records.enumerated() {
      if let columns {
        stack.pushTable(fields: columns.count)
        for (name, cell) in zip(columns, record.fields) { stack.setField(name, of: -1, to: .string(cell)) }
        if record.fields.count > columns.count {
          stack.push(list: Array(record.fields[columns.count...])) { $0.push($1) }
          stack.setField(CSVTable.rest, of: -2)
        }
      } else {
        stack.push(list: record.fields) { $0.push($1) }
      }
      stack.setElement(position + 1, of: -2)
    }
    stack.markArray(at: -1)
  }

  private func readHeader(_ header: CSVReader.Record) throws(CSVError) {
    hasHeader = false
    guard columns == nil else { return }
    if let (first, second) = CSVTable.double(in: header.fields) {
      throw CSVError(
        line: header.line, column: second + 1,
        "the name \"\(header.fields[second])\" is that of column \(first + 1) too, and one of them would be lost: "
          + "columns = { … } with header = true gives them other names")
    }
    if let column = header.fields.firstIndex(where: { $0.utf8.contains(0) }) {
      throw CSVError(
        line: header.line, column: column + 1, "a name with a NUL is none: columns = { … } with header = true"
      )
    }
    columns = header.fields
  }

  /// A row has a field for each name, and no more, unless that was asked for.
  private func check(_ record: CSVReader.Record, _ columns: [String]) throws(CSVError) {
    let count = record.fields.count
    let way = "ragged = true takes such rows"
    if count < columns.count, !isRagged {
      throw CSVError(
        line: record.line, column: count + 1,
        "expected a field for each of \(columns.count) names, got \(count), without \"\(columns[count])\": \(way)"
      )
    }
    guard count > columns.count, !isRagged || columns.contains(CSVTable.rest) else { return }
    throw CSVError(
      line: record.line, column: columns.count + 1,
      "expected \(columns.count) fields, as there are names, got \(count): "
        + (isRagged ? "those beyond have no place, as a column is called \(CSVTable.rest)" : way))
  }

  /// The member with the fields beyond the names.
  private static let rest = "_rest"
}
