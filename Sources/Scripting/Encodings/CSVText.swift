import Items

/// CSV (RFC 4180) being written, up to a limit of bytes.
struct CSVText {
  private(set) var bytes: [UInt8] = []
  let limit: Int
  private let separator: UInt8
  private var isLineStart = true
  private var lineStart = 0

  init(separator: UInt8, limit: Int) {
    self.separator = separator
    self.limit = limit
  }

  /// Whether the limit is exceeded: anything further is dropped.
  var isFull: Bool { bytes.count > limit }

  /// Ends the line.
  mutating func closeLine() {
    // A line without anything is no row to those who read it.
    if bytes.count == lineStart, !isLineStart { bytes += "\"\"".utf8 }
    bytes += "\r\n".utf8
    (isLineStart, lineStart) = (true, bytes.count)
  }

  /// Appends a field, quoted if necessary.
  mutating func append(cell: String) {
    if !isLineStart { bytes.append(separator) }
    isLineStart = false
    bytes += CSVStyle(separator: separator).cell(cell).utf8
  }
}
