/// How CSV cells (RFC 4180) are written: when they are quoted, and how spreadsheet formulas are defused.
///
/// ```swift
/// var line = ByteBuffer()
/// line.append(cell: "a \"b\"", CSVStyle())  // "a ""b"""
/// ```
public struct CSVStyle: Sendable, Equatable {
  /// The byte between cells.
  public var separator: UInt8
  /// Whether an empty text is written as `""`, to tell it from a missing one.
  public var quotesEmpty: Bool
  /// Whether a text that a spreadsheet would evaluate gets a leading apostrophe.
  public var isSafe: Bool

  /// Commas, minimal quoting, no apostrophes.
  public init(separator: UInt8 = UInt8(ascii: ","), quotesEmpty: Bool = false, isSafe: Bool = false) {
    self.separator = separator
    self.quotesEmpty = quotesEmpty
    self.isSafe = isSafe
  }

  /// One cell as text.
  public func cell(_ text: String) -> String {
    var buffer = ByteBuffer(capacity: text.utf8.count + 2)
    buffer.append(cell: text, self)
    return String(decoding: buffer.contents, as: UTF8.self)
  }

  private func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: byte == separator
    }
  }

  /// Whether a spreadsheet may read the text as a formula, possibly after trimming: it starts with one of `= + - @`, a
  /// tab or a line break, and is not a number.
  private static func isFormula(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return !isNumber(text.dropFirst())
    default:
      // The full-width forms, which some spreadsheets treat as the ASCII ones.
      return [[0xEF, 0xBC, 0x9D], [0xEF, 0xBC, 0x8B], [0xEF, 0xBC, 0x8D], [0xEF, 0xBC, 0xA0]].contains {
        (wide: [UInt8]) in text.starts(with: wide)
      }
    }
  }

  /// Digits with at most one decimal point.
  private static func isNumber(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    let points = text.count { $0 == UInt8(ascii: ".") }
    let digits = text.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits > 0 && points <= 1 && points + digits == text.count
  }

  /// Appends a cell, quoted if necessary.
  func append(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    let isFormula = isSafe && CSVStyle.isFormula(text)
    // Where a text begins with it, readers take it for the mark of an encoding.
    let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF])
    guard isMarked || (text.isEmpty ? quotesEmpty : text.contains(where: needsQuotes)) else {
      if isFormula { buffer.append(UInt8(ascii: "'")) }
      return buffer.append(text)
    }
    buffer.append(UInt8(ascii: "\""))
    if isFormula { buffer.append(UInt8(ascii: "'")) }
    for byte in text {
      if byte == UInt8(ascii: "\"") { buffer.append(byte) }
      buffer.append(byte)
    }
    buffer.append(UInt8(ascii: "\""))
  }
}

extension ByteBuffer {
  /// Appends a CSV cell, quoted if necessary.
  public mutating func append(cell text: UnsafeRawBufferPointer, _ style: CSVStyle) {
    style.append(text, to: &self)
  }

  /// Appends a CSV cell, quoted if necessary.
  public mutating func append(cell text: String, _ style: CSVStyle) {
    var text = text
    text.withUTF8 { append(cell: UnsafeRawBufferPointer($0), style) }
  }
}
