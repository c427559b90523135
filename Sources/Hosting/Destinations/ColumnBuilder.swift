import CADBC
import Glibc
import Items
import JSON
import Paging

/// A column of rows in Arrow's layout, built from JSON as it is read: no value becomes one of Swift's on the way.
///
/// It is used in one place at a time: on the thread that builds the rows.
final class ColumnBuilder {
  let name: String
  /// What its values are.
  let type: ColumnType
  /// Whether values have to be made of that type, which somebody has chosen.
  let isFixed: Bool
  /// The values, to which rows of items are appended elsewhere, too.
  let raw: UnsafeMutablePointer<cadbc_column>

  init(_ name: String, _ type: ColumnType, isFixed: Bool = false) {
    self.name = name
    self.type = type
    self.isFixed = isFixed
    raw = .allocate(capacity: 1)
    raw.initialize(to: cadbc_column())
    raw.pointee.is_fixed = isFixed && type != .text ? 1 : 0
    raw.pointee.form =
      switch type {
      case .boolean: .CADBC_BOOLEAN
      case .integer: .CADBC_INTEGER
      case .real: .CADBC_REAL
      case .date: .CADBC_DATE
      case .timestamp: .CADBC_TIMESTAMP
      case .json: .CADBC_JSON
      case .decimal, .text, .bytes, .other: .CADBC_TEXT
      }
    if case .timestamp(let digits) = type { raw.pointee.digits = Int32(digits) }
    if isText { cadbc_append_bytes(&raw.pointee.values, [0, 0, 0, 0] as [UInt8], 4) }
  }

  /// A column `id` of ids as a table has them: where those are integers, without texts that are none.
  convenience init(_ ids: [ItemID], isInteger: Bool) {
    self.init("id", isInteger ? .integer : .text)
    for id in ids {
      switch id {
      case .integer(let number): append(number)
      case .text(let text) where !isInteger: append(text)
      case .text: if case .integer(let number)? = id.twin { append(number) }
      }
    }
  }

  deinit {
    free(raw.pointee.validity.bytes)
    free(raw.pointee.values.bytes)
    free(raw.pointee.text.bytes)
    raw.deallocate()
  }

  var count: Int { Int(raw.pointee.count) }

  /// Whether its values are texts of JSON.
  var isJSON: Bool { raw.pointee.form == .CADBC_JSON }

  private var isText: Bool {
    switch raw.pointee.form {
    case .CADBC_JSON, .CADBC_TEXT: true
    case .CADBC_BOOLEAN, .CADBC_INTEGER, .CADBC_REAL, .CADBC_DATE, .CADBC_TIMESTAMP: false
    }
  }

  /// Appends a value; false if it is of another type, and nothing was appended. Texts that `check` refuses throw.
  func append(_ value: JSONValue, check: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Bool {
    if case .null = value.kind {
      appendNull()
      return true
    }
    if isFixed, type != .text { return try append(fixed: value, check: check) }
    switch raw.pointee.form {
    case .CADBC_INTEGER:
      guard let number = value.integer else { return false }
      append(number)
    case .CADBC_REAL:
      if case .integer = value.kind {
        guard let number = value.integer, number.isSmall else { return false }
        append(word: Double(number))
      } else {
        guard let real = value.exactReal else { return false }
        append(word: real)
      }
    case .CADBC_BOOLEAN:
      guard case .boolean(let flag) = value.kind else { return false }
      append(bit: flag)
    case .CADBC_DATE:
      guard case .text(isEscaped: false) = value.kind, let day = value.bytes.day else { return false }
      append(word: day)
    case .CADBC_TIMESTAMP:
      guard case .text(isEscaped: false) = value.kind, let moment = value.bytes.moment,
        moment.digits == raw.pointee.digits
      else { return false }
      append(word: moment.microseconds)
    case .CADBC_JSON:
      switch value.kind {
      case .array, .object: break
      case .null, .boolean, .integer, .real, .text: return false
      }
      try check(value.bytes)
      append(value.bytes)
    case .CADBC_TEXT:
      // Of a column that was one of numbers before, no more than the number is known.
      if !isFixed, let real = value.exactReal {
        append(real.columnText)
      } else if !isFixed, value.kind == .integer, let number = value.integer {
        append(number)
      } else {
        try append(text: value, check: check)
      }
    }
    return true
  }

  /// Appends a text without its escapes, or another value as JSON has it.
  func append(text value: JSONValue, check: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    guard case .text(isEscaped: true) = value.kind else { return append(value.bytes) }
    var scratch = ByteBuffer()
    value.unescape(into: &scratch)
    try check(scratch.contents)
    append(scratch.contents)
  }

  /// Appends an integer to a column of integers or of texts.
  func append(_ number: Int64) {
    isText ? append("\(number)") : append(word: number)
  }

  /// Appends a text.
  func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a text, or bytes.
  func append(_ bytes: UnsafeRawBufferPointer) {
    cadbc_append_bytes(&raw.pointee.text, bytes.baseAddress, bytes.count)
    cadbc_end_text(raw)
  }

  func appendNull() { cadbc_append_null(raw) }

  /// Takes the last value back.
  func removeLast() { cadbc_remove_last(raw) }

  /// Whether its last value is none.
  var endsWithNull: Bool { count > 0 && cadbc_bit(&raw.pointee.validity, raw.pointee.count - 1) == 0 }

  func append(word: Int64) { cadbc_append_64(raw, UInt64(bitPattern: word)) }

  func append(word: Double) { cadbc_append_64(raw, word.bitPattern) }

  func append(word: Int32) { cadbc_append_32(raw, word) }

  func append(bit: Bool) { cadbc_append_truth(raw, bit ? 1 : 0) }

  /// Gives its values away; it is empty then, and of no more use.
  func release() -> ArrowArray {
    let (length, nullCount) = (count, Int(raw.pointee.null_count))
    var buffers = [ColumnBuilder.take(&raw.pointee.validity), ColumnBuilder.take(&raw.pointee.values)]
    if isText { buffers.append(ColumnBuilder.take(&raw.pointee.text)) }
    (raw.pointee.count, raw.pointee.null_count) = (0, 0)
    return ArrowArray(length: length, nullCount: nullCount, buffers: buffers)
  }

  /// Gives the memory away.
  private static func take(_ buffer: inout cadbc_buffer) -> UnsafeRawPointer {
    defer { buffer = cadbc_buffer() }
    return UnsafeRawPointer(buffer.bytes ?? malloc(16)!.assumingMemoryBound(to: UInt8.self))
  }

  /// What its values are, as Arrow says it.
  var format: String {
    switch type {
    case .boolean: "b"
    case .integer: "l"
    case .real: "g"
    case .date: "tdD"
    case .timestamp: "tsu:UTC"
    case .decimal, .json, .text, .other: "u"
    case .bytes: "z"
    }
  }
}
