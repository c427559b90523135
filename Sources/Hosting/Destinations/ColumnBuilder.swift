import CADBC
import Glibc
import Items
import JSON
import Paging

/// A column of rows in Arrow's layout, built from JSON as it is read: no value becomes one of Swift's on the way.
final class ColumnBuilder {
  /// How values are laid out.
  private enum Form {
    case boolean, integer, real, date
    case timestamp(digits: Int)
    case json, text
  }

  let name: String
  /// What its values are.
  let type: ColumnType
  /// Whether values have to be made of that type, which somebody has chosen.
  let isFixed: Bool
  /// What is looked at with each value is used in one place at a time: on the thread that builds the rows.
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var nullCount = 0
  /// A bit for each value that is there.
  @exclusivity(unchecked) private var validity = Buffer()
  /// Numbers, or bits, or where each text ends.
  @exclusivity(unchecked) private var values = Buffer()
  @exclusivity(unchecked) private var text = Buffer()
  @exclusivity(unchecked) private var scratch = ByteBuffer()
  private let form: Form

  init(_ name: String, _ type: ColumnType, isFixed: Bool = false) {
    self.name = name
    self.type = type
    self.isFixed = isFixed
    form =
      switch type {
      case .boolean: .boolean
      case .integer: .integer
      case .real: .real
      case .date: .date
      case .timestamp(let digits): .timestamp(digits: digits)
      case .json: .json
      case .decimal, .text, .bytes, .other: .text
      }
    if isText { values.append(Int32(0)) }
  }

  /// Whether its values are texts of JSON.
  var isJSON: Bool { if case .json = form { true } else { false } }

  private var isText: Bool {
    switch form {
    case .json, .text: true
    case .boolean, .integer, .real, .date, .timestamp: false
    }
  }

  /// Appends a value; false if it is of another type, and nothing was appended. Texts that `check` refuses throw.
  func append(_ value: JSONValue, check: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Bool {
    if case .null = value.kind {
      appendNull()
      return true
    }
    if isFixed, type != .text { return try append(fixed: value, check: check) }
    switch form {
    case .integer:
      guard let number = value.integer else { return false }
      append(number)
    case .real:
      if case .integer = value.kind {
        guard let number = value.integer, number.isSmall else { return false }
        append(word: Double(number))
      } else {
        guard let real = value.exactReal else { return false }
        append(word: real)
      }
    case .boolean:
      guard case .boolean(let flag) = value.kind else { return false }
      append(bit: flag)
    case .date:
      guard case .text(isEscaped: false) = value.kind, let day = value.bytes.day else { return false }
      append(word: day)
    case .timestamp(let digits):
      guard case .text(isEscaped: false) = value.kind, let moment = value.bytes.moment,
        moment.digits == digits
      else { return false }
      append(word: moment.microseconds)
    case .json:
      switch value.kind {
      case .array, .object: break
      case .null, .boolean, .integer, .real, .text: return false
      }
      try check(value.bytes)
      append(value.bytes)
    case .text:
      // Of a column that was one of doubles before, no more than the number is known.
      if !isFixed, let real = value.exactReal {
        append(real.columnText)
      } else {
        try append(text: value, check: check)
      }
    }
    return true
  }

  /// Appends a text without its escapes, or another value as JSON has it.
  func append(text value: JSONValue, check: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    guard case .text(isEscaped: true) = value.kind else { return append(value.bytes) }
    scratch.removeAll()
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
    text.append(bytes)
    append(word: Int32(truncatingIfNeeded: text.count))
  }

  func appendNull() {
    nullCount += 1
    validity.append(bit: false, at: count)
    switch form {
    case .integer, .real, .timestamp: values.append(Int64(0))
    case .date: values.append(Int32(0))
    case .boolean: values.append(bit: false, at: count)
    case .json, .text: values.append(Int32(truncatingIfNeeded: text.count))
    }
    count += 1
  }

  /// Takes the last value back.
  func removeLast() {
    count -= 1
    if !validity.bit(at: count) { nullCount -= 1 }
    switch form {
    case .integer, .real, .timestamp: values.count -= 8
    case .date: values.count -= 4
    case .boolean: break
    case .json, .text:
      values.count -= 4
      text.count = Int(values.last)
    }
  }

  /// Whether its last value is none.
  var endsWithNull: Bool { count > 0 && !validity.bit(at: count - 1) }

  func append<Word: BitwiseCopyable>(word: Word) {
    validity.append(bit: true, at: count)
    values.append(word)
    count += 1
  }

  func append(bit: Bool) {
    validity.append(bit: true, at: count)
    values.append(bit: bit, at: count)
    count += 1
  }

  /// Gives its values away; it is empty then, and of no more use.
  func release() -> ArrowArray {
    var buffers = [validity.take(), values.take()]
    if isText { buffers.append(text.take()) }
    return ArrowArray(length: count, nullCount: nullCount, buffers: buffers)
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

/// Memory that grows, and that its last owner frees with `free`.
private struct Buffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity = 1024
  var count = 0

  init() { base = malloc(1024)! }

  deinit { free(base) }

  private mutating func reserve(_ extra: Int) {
    guard count + extra > capacity else { return }
    capacity = max(capacity * 2, count + extra)
    base = realloc(base, capacity)!
  }

  mutating func append<Word: BitwiseCopyable>(_ word: Word) {
    reserve(MemoryLayout<Word>.size)
    base.storeBytes(of: word, toByteOffset: count, as: Word.self)
    count += MemoryLayout<Word>.size
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(base + count, start, bytes.count)
    count += bytes.count
  }

  mutating func append(bit: Bool, at place: Int) {
    if place >> 3 >= count { append(UInt8(0)) }
    let mask = UInt8(1) << (place & 7)
    let byte = base.load(fromByteOffset: place >> 3, as: UInt8.self)
    base.storeBytes(of: bit ? byte | mask : byte & ~mask, toByteOffset: place >> 3, as: UInt8.self)
  }

  func bit(at place: Int) -> Bool {
    base.load(fromByteOffset: place >> 3, as: UInt8.self) & 1 << (place & 7) != 0
  }

  /// The last number of four bytes.
  var last: Int32 { base.loadUnaligned(fromByteOffset: count - 4, as: Int32.self) }

  /// Gives the memory away.
  mutating func take() -> UnsafeRawPointer {
    defer {
      (capacity, count) = (16, 0)
      base = malloc(16)!
    }
    return UnsafeRawPointer(base)
  }
}
