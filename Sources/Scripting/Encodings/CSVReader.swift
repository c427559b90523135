/// Parses CSV (RFC 4180) incrementally; a quoted field may span lines and parts.
struct CSVReader {
  private let separator: UInt8
  private var field: [UInt8] = []
  private var record: [String] = []
  private var isQuoted = false
  private var wasQuoted = false
  private var line = 1
  private var quoteLine = 1
  private var endedWithReturn = false
  private var isAtStart = true

  init(separator: UInt8) { self.separator = separator }

  /// The completed records; with `isEnd` the last one needs no line end.
  mutating func read(_ text: UnsafeRawBufferPointer, isEnd: Bool) throws(CSVError) -> [[String]] {
    var records: [[String]] = []
    var text = text[...]
    if isAtStart, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    isAtStart = isAtStart && text.isEmpty
    for byte in text { try read(byte, into: &records) }
    guard isEnd else { return records }
    if isQuoted && !wasQuoted { throw CSVError(line: quoteLine, message: "a quoted field has no end") }
    if !field.isEmpty || !record.isEmpty || wasQuoted { closeRecord(&records) }
    return records
  }

  private mutating func read(_ byte: UInt8, into records: inout [[String]]) throws(CSVError) {
    if byte == UInt8(ascii: "\n") { line += 1 }
    if isQuoted && !wasQuoted {
      if byte == UInt8(ascii: "\"") { wasQuoted = true } else { field.append(byte) }
      return
    }
    switch byte {
    case UInt8(ascii: "\"") where wasQuoted:
      field.append(byte)
      wasQuoted = false
    case UInt8(ascii: "\"") where field.isEmpty:
      isQuoted = true
      quoteLine = line
    case separator:
      closeField()
    case UInt8(ascii: "\r"):
      endedWithReturn = true
      return
    case UInt8(ascii: "\n"):
      closeRecord(&records)
    default:
      if wasQuoted { throw CSVError(line: line, message: "text after the end of a quoted field") }
      if endedWithReturn { field.append(UInt8(ascii: "\r")) }
      field.append(byte)
    }
    endedWithReturn = false
  }

  private mutating func closeField() {
    record.append(String(decoding: field, as: UTF8.self))
    field.removeAll(keepingCapacity: true)
    isQuoted = false
    wasQuoted = false
  }

  private mutating func closeRecord(_ records: inout [[String]]) {
    let isBlank = record.isEmpty && field.isEmpty && !isQuoted
    closeField()
    if !isBlank { records.append(record) }
    record = []
  }
}

/// Where and why a text is not valid CSV.
struct CSVError: Error {
  let line: Int
  let message: String
}
