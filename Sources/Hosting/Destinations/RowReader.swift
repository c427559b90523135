import CADBC

/// A row of a query's answer; valid during the call that gives it.
struct AnswerRow {
  private let batch: ArrowArray
  private let fields: ArrowSchema
  private let place: Int

  init(_ batch: ArrowArray, _ fields: ArrowSchema, _ place: Int) {
    (self.batch, self.fields, self.place) = (batch, fields, place)
  }

  /// The integer in a column; nil for NULL, and for what is none.
  func integer(_ column: Int) -> Int64? {
    guard let (array, index) = value(column) else { return nil }
    return switch format(column) {
    case "l": array.buffers[1]?.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
    case "i": (array.buffers[1]?.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)).map { Int64($0) }
    case "s": (array.buffers[1]?.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)).map { Int64($0) }
    default: text(column).flatMap { Int64($0) }
    }
  }

  /// The double in a column; nil for NULL, and for what is none.
  func real(_ column: Int) -> Double? {
    guard let (array, index) = value(column) else { return nil }
    return switch format(column) {
    case "g": array.buffers[1]?.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
    case "f": (array.buffers[1]?.loadUnaligned(fromByteOffset: index * 4, as: Float.self)).map { Double($0) }
    default: integer(column).map { Double($0) }
    }
  }

  /// The text in a column; nil for NULL, and for what is none.
  func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

  /// The bytes of a text, or of bytes.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let (array, index) = value(column), let offsets = array.buffers[1] else { return nil }
    let (start, end): (Int, Int)
    switch format(column) {
    case "u", "z":
      start = Int(offsets.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
      end = Int(offsets.loadUnaligned(fromByteOffset: index * 4 + 4, as: Int32.self))
    case "U", "Z":
      start = Int(offsets.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
      end = Int(offsets.loadUnaligned(fromByteOffset: index * 8 + 8, as: Int64.self))
    default: return nil
    }
    guard let base = array.buffers[2] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: base + start, count: end - start)
  }

  private func format(_ column: Int) -> String {
    fields.children[column].flatMap(\.pointee.format).map { String(cString: $0) } ?? ""
  }

  private func value(_ column: Int) -> (ArrowArray, Int)? {
    guard column < batch.n_children, let array = batch.children[column]?.pointee else { return nil }
    let index = place + Int(array.offset) + Int(batch.offset)
    if array.null_count != 0, let bits = array.buffers[0] {
      let byte = bits.load(fromByteOffset: index >> 3, as: UInt8.self)
      if byte & 1 << (index & 7) == 0 { return nil }
    }
    return (array, index)
  }
}

extension ADBCConnection {
  /// Calls `body` with each row of a query's answer.
  func forEachRow(_ sql: String, _ body: (AnswerRow) throws -> Void) throws {
    let stream = try query(sql)
    while let batch = try stream.next() {
      for place in 0..<batch.count { try body(AnswerRow(batch.array, batch.fields.schema, place)) }
    }
  }

  /// What `read` makes of the first row of a query's answer; nil where there is none.
  func first<Result>(_ sql: String, _ read: (AnswerRow) -> Result) throws -> Result? {
    let stream = try query(sql)
    while let batch = try stream.next() {
      if batch.count > 0 { return read(AnswerRow(batch.array, batch.fields.schema, 0)) }
    }
    return nil
  }

  /// Whether a query has an answer.
  func hasRow(_ sql: String) throws -> Bool { try first(sql) { _ in true } ?? false }
}
