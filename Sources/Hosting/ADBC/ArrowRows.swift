import Items
import JSON
import Paging

/// The rows of a query as JSON, some at a time.
///
/// Rows of plain values come with an index of their text; those with values that are JSON themselves come as text alone.
final class ArrowRows {
  /// Rows as a JSON array of objects, and whether they are the last.
  typealias Portion = (list: IndexedJSON, isEnd: Bool)

  private let stream: ArrowStream
  /// The numbers of the columns whose arrays' bounds are in the last columns.
  private let arrays: [Int]
  private var batch: ArrowBatch?
  private var columns: [ArrowColumn] = []
  private var keys: [String] = []
  private var row = 0
  /// Rows of all batches until now.
  private var rowCount = 0
  private var isEnd = false

  /// The rows of a stream; its last columns are the bounds of the arrays in those with these numbers.
  init(_ stream: ArrowStream, arrays: [Int] = []) throws {
    self.stream = stream
    self.arrays = arrays
    try advance()
  }

  /// All rows; nil if they have more than `size` bytes.
  func all(upTo size: Int) throws -> IndexedJSON? {
    let portion = try next(.max, upTo: size, portion: size)
    return portion.isEnd ? portion.list : nil
  }

  /// Up to `limit` rows; fewer at the end, or once they have more than `portion` bytes. None may have more than `size`.
  func next(_ limit: Int, upTo size: Int, portion: Int) throws -> Portion {
    columns.contains { $0.holdsJSON }
      ? try nextTexts(limit, upTo: size, portion: portion) : try nextRows(limit, upTo: size, portion: portion)
  }

  private func nextRows(_ limit: Int, upTo size: Int, portion: Int) throws -> Portion {
    var writer = try RowsWriter(keys: keys)
    var count = 0
    while count < limit, writer.count <= portion, !isEnd {
      let before = writer.count
      for column in columns {
        do {
          try write(column.value(at: row), to: &writer)
        } catch let fault as RowsWriter.NoText {
          throw HostFailure(fault, row: rowCount + 1, column: column.name, ArrowRows.way)
        }
      }
      guard writer.count - before <= size else { throw RowTooLarge() }
      count += 1
      try step()
    }
    return (try writer.finish(), isEnd)
  }

  private func nextTexts(_ limit: Int, upTo size: Int, portion: Int) throws -> Portion {
    var json = JSONWriter(capacity: 4096)
    json.beginArray()
    var count = 0
    while count < limit, json.count <= portion, !isEnd {
      let before = json.count
      json.beginObject()
      for (key, column) in zip(keys, columns) {
        json.key(key)
        if case .text(let text) = column.value(at: row), let fault = RowsWriter.NoText(in: text) {
          throw HostFailure(fault, row: rowCount + 1, column: column.name, ArrowRows.way)
        }
        column.write(row, to: &json)
      }
      json.endObject()
      guard json.count - before <= size else { throw RowTooLarge() }
      count += 1
      try step()
    }
    json.endArray()
    return (IndexedJSON(json.bytes()), isEnd)
  }

  @inline(__always)
  private func write(_ value: ArrowColumn.Value, to writer: inout RowsWriter) throws {
    switch value {
    case .null, .json, .nested: try writer.null()
    case .boolean(let value): try writer.boolean(value)
    case .integer(let value): try writer.integer(value)
    case .real(let value): try writer.real(value)
    case .text(let text): try writer.text(text)
    case .bytes(let bytes): try writer.base64(bytes)
    }
  }

  private static let way = "the database has to say what they are (convert_from, or an encoding)"

  private func step() throws {
    (row, rowCount) = (row + 1, rowCount + 1)
    if row >= batch?.count ?? 0 { try advance() }
  }

  /// Comes to the next batch that has rows.
  private func advance() throws {
    row = 0
    repeat { batch = try stream.next() } while batch?.count == 0
    columns = try batch.map { try ArrowColumn.columns(of: $0, arrays: arrays) } ?? []
    if keys.isEmpty { keys = uniqueNames(columns.map(\.name)) }
    isEnd = batch == nil
  }

  /// A row has more bytes than an answer may have.
  struct RowTooLarge: Error {}
}

/// Names of columns; one that was there before gets a number.
private func uniqueNames(_ names: [String]) -> [String] {
  var taken: Set<String> = []
  return names.map { name in
    var (unique, number) = (name, 2)
    while !taken.insert(unique).inserted {
      unique = "\(name)_\(number)"
      number += 1
    }
    return unique
  }
}
