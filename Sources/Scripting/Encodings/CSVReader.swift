/// Parses CSV (RFC 4180) incrementally; a quoted field may span lines and parts.
///
/// Nothing is lost or changed: lines end with LF or CRLF, or all with CR alone, and what is neither right nor clear is an error that
/// names its line and its column.
struct CSVReader {
  /// What its bytes stand for.
  enum Encoding: String, CaseIterable {
    case utf8 = "utf-8"
    /// What spreadsheets of Western Europe and America write.
    case windows1252 = "windows-1252"
  }

  /// The fields between two line ends.
  struct Record: Equatable {
    let line: Int
    let fields: [String]
  }

  /// How lines end, as the first one does.
  private enum LineEnd { case unknown, feed, loneReturn }

  private let separator: UInt8
  private let encoding: Encoding
  private var field: [UInt8] = []
  private var fields: [String] = []
  private var isQuoted = false
  private var wasQuoted = false
  private var line = 1
  private var recordLine = 1
  private var quoteLine = 1
  /// Whether the last byte was a CR outside of quotes.
  private var isReturnOpen = false
  private var ends = LineEnd.unknown
  private var isAtStart = true

  init(separator: UInt8, encoding: Encoding = .utf8) {
    self.separator = separator
    self.encoding = encoding
  }

  /// The completed records; with `isEnd` the last one needs no line end.
  mutating func read(_ text: UnsafeRawBufferPointer, isEnd: Bool) throws(CSVError) -> [Record] {
    var records: [Record] = []
    var text = text[...]
    if isAtStart {
      if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
        throw CSVError(line: 1, "the text is UTF-16: make it UTF-8 first (iconv -f UTF-16 -t UTF-8)")
      }
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    }
    isAtStart = isAtStart && text.isEmpty
    for byte in text { try read(byte, into: &records) }
    if isQuoted, !wasQuoted, isEnd || field.count > CSVReader.longestField {
      let end = isEnd ? "no end" : "no end in \(CSVReader.longestField.grouped) bytes"
      throw CSVError(
        line: quoteLine, column: fields.count + 1,
        "the quoted field that begins here has \(end): expected a \" before a separator or a line end (and \"\" for a \" in it)"
      )
    }
    guard isEnd else { return records }
    if !field.isEmpty || !fields.isEmpty || wasQuoted { try closeRecord(&records) }
    return records
  }

  private mutating func read(_ byte: UInt8, into records: inout [Record]) throws(CSVError) {
    if isReturnOpen {
      isReturnOpen = false
      if byte == CSVReader.feed { return try endLine(with: "CRLF", &records) }
      try handleLoneReturn(&records)
    }
    if isQuoted && !wasQuoted {
      if byte == CSVReader.feed { line += 1 }
      if byte == CSVReader.quote { wasQuoted = true } else { field.append(byte) }
      return
    }
    switch byte {
    case CSVReader.quote where wasQuoted:
      field.append(byte)
      wasQuoted = false
    case CSVReader.quote where field.isEmpty:
      isQuoted = true
      quoteLine = line
    case separator: try closeField()
    case CSVReader.carriageReturn: isReturnOpen = true
    case CSVReader.feed: try endLine(with: "LF", &records)
    default:
      if wasQuoted { throw textBehindQuote(byte) }
      field.append(byte)
    }
  }

  /// A line ends with LF, after CR or not.
  private mutating func endLine(with end: String, _ records: inout [Record]) throws(CSVError) {
    guard ends != .loneReturn else {
      throw CSVError(
        line: line, column: fields.count + 1,
        "the line ends with \(end), and line 1 with CR alone: quote a field that has a CR in it, or make all line ends the same"
      )
    }
    ends = .feed
    try closeRecord(&records)
    line += 1
    recordLine = line
  }

  /// A CR that no LF follows ends a line, if the first line ends so; else it is of the field.
  private mutating func handleLoneReturn(_ records: inout [Record]) throws(CSVError) {
    guard ends == .feed else {
      ends = .loneReturn
      try closeRecord(&records)
      line += 1
      recordLine = line
      return
    }
    if wasQuoted { throw textBehindQuote(CSVReader.carriageReturn) }
    field.append(CSVReader.carriageReturn)
  }

  private mutating func closeField() throws(CSVError) {
    switch encoding {
    case .utf8:
      guard let text = String(validating: field, as: UTF8.self) else { throw notUTF8 }
      fields.append(text)
    case .windows1252: fields.append(String(windows1252: field))
    }
    field.removeAll(keepingCapacity: true)
    isQuoted = false
    wasQuoted = false
  }

  private mutating func closeRecord(_ records: inout [Record]) throws(CSVError) {
    let isBlank = fields.isEmpty && field.isEmpty && !isQuoted
    try closeField()
    if !isBlank { records.append(Record(line: recordLine, fields: fields)) }
    fields = []
  }

  private func textBehindQuote(_ byte: UInt8) -> CSVError {
    let got =
      (0x20..<0x7F).contains(byte)
      ? "\"\(Character(UnicodeScalar(byte)))\"" : "the byte \(byte.hexadecimalDigits)"
    return CSVError(
      line: line, column: fields.count + 1,
      "expected a separator or a line end behind the quoted field, got \(got) (a \" in it is written \"\")")
  }

  private var notUTF8: CSVError {
    let shown = field.first { $0 >= 0x80 }.map(\.hexadecimalDigits) ?? ""
    return CSVError(
      line: line, column: fields.count + 1,
      "bytes that are no UTF-8 (\(shown) …): encoding = \"windows-1252\" reads what spreadsheets write; others are made UTF-8 "
        + "first (iconv)")
  }

  private static let feed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let quote = UInt8(ascii: "\"")
  /// Bytes that a quoted field may have: without its end, it has the rest of the file.
  private static let longestField = 64 << 20
}

/// Where and why a text is not valid CSV.
struct CSVError: Error {
  let line: Int
  /// From 1; nil is the whole line.
  let column: Int?
  let message: String

  init(line: Int, column: Int? = nil, _ message: String) {
    (self.line, self.column, self.message) = (line, column, message)
  }

  /// `line 3, column 2: …`
  var text: String { "line \(line)\(column.map { ", column \($0)" } ?? ""): \(message)" }
}

extension UInt8 {
  /// Two digits.
  var hexadecimalDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }
}

extension String {
  /// Bytes of Windows' code page 1252. Those that stand for nothing there are control characters, as browsers have it.
  init(windows1252 bytes: [UInt8]) {
    var scalars = UnicodeScalarView()
    for byte in bytes {
      scalars.append(
        (0x80..<0xA0).contains(byte) ? String.windows1252[Int(byte) - 0x80] : UnicodeScalar(byte))
    }
    self.init(scalars)
  }

  private static let windows1252: [UnicodeScalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
    "\u{2030}",
    "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}",
    "\u{201C}",
    "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}",
    "\u{9D}",
    "\u{17E}", "\u{178}",
  ]
}
