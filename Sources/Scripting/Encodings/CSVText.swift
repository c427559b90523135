/// CSV (RFC 4180) that is being written, up to a limit of bytes.
struct CSVText {
  private(set) var bytes: [UInt8] = []
  let limit: Int
  private let separator: UInt8
  private var isLineStart = true

  init(separator: UInt8, limit: Int) {
    self.separator = separator
    self.limit = limit
  }

  /// Whether the limit is passed: what comes after it is left out.
  var isFull: Bool { bytes.count > limit }

  /// Ends the line.
  mutating func endLine() {
    bytes += "\r\n".utf8
    isLineStart = true
  }

  /// Appends a field, quoted where it must be.
  mutating func append(cell: String) {
    if !isLineStart { bytes.append(separator) }
    isLineStart = false
    let needsQuotes = cell.utf8.contains {
      $0 == separator || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return bytes += cell.utf8 }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
