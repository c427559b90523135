import Glibc
import Items
import JSON
import Paging

/// Items as rows of a table, RFC 4180. The columns are the keys of the first delivery; a key that comes later gets a
/// column at the right, and `widen` completes the header and the earlier rows before others see the file.
///
/// Nested values are JSON text, null is an empty cell, an empty text is `""`, and an item that is no object is in a column
/// `value`.
final class SinkCSV: SinkStream {
  let file: SinkFile
  private var columns = SinkColumns()
  /// Where rows begin to have more cells, and how many; the first entry is for the first row.
  private var widths: [(offset: Int, width: Int)] = []
  private var cells: [JSONValue?] = []
  private var reader = JSONReader()
  private var scratch = ByteBuffer()
  private var unescaped = ByteBuffer()
  /// Null is an empty cell, and an empty text is not.
  private let style: CSVStyle

  /// Writes to the file; a safe one has no formulas.
  init(_ file: SinkFile, isSafe: Bool = false) {
    self.file = file
    style = CSVStyle(quotesEmpty: true, isSafe: isSafe)
  }

  func write(_ delivery: Delivery, tag: SinkTag?) throws(SinkError) {
    let items = delivery.broughtItems
    guard !items.isEmpty else { return }
    if widths.isEmpty { try writeHeader(items, tag) }
    for item in items {
      try writeRow(item, tag)
      try file.flushParts()
    }
  }

  func finish() throws(SinkError) {
    guard widths.count > 1 else { return }
    widths = [(try widen(), columns.count)]
  }

  /// The header with all columns, and its line end.
  func appendHeader(_ append: (UnsafeRawBufferPointer) -> Void) {
    var line = ByteBuffer()
    for (place, name) in columns.names.enumerated() {
      if place > 0 { line.append(",") }
      line.append(cell: name, style)
    }
    line.append("\r\n")
    append(line.contents)
  }

  private func writeHeader(_ items: [Item], _ tag: SinkTag?) throws(SinkError) {
    for item in items {
      try item.bytes.withUnsafeBytes { bytes throws(SinkError) in
        var likely = 0
        for member in try ItemMembers(bytes, of: item.id, &reader) {
          likely = 1 + (columns.place(of: member, likely: likely) ?? columns.append(member.name))
        }
      }
    }
    if tag != nil && columns.place(of: SinkTag.key) == nil { columns.append(SinkTag.key) }
    appendHeader(file.append)
    widths = [(file.offset, columns.count)]
  }

  /// Nothing of the row is written when it is broken.
  private func writeRow(_ item: Item, _ tag: SinkTag?) throws(SinkError) {
    try item.bytes.withUnsafeBytes { bytes throws(SinkError) in
      cells.removeAll(keepingCapacity: true)
      cells.append(contentsOf: repeatElement(nil, count: columns.count))
      var likely = 0
      for member in try ItemMembers(bytes, of: item.id, &reader) {
        let known = columns.place(of: member, likely: likely)
        let place = if let known { known } else { try addColumn(member.name) }
        cells[place] = member.value
        likely = place + 1
      }
      if columns.count > widths.last!.width { widths.append((file.offset, columns.count)) }
      writeCells(tag)
    }
  }

  private func addColumn(_ name: String) throws(SinkError) -> Int {
    guard file.isRegular else {
      throw SinkError(
        HostFailure(
          .invalid,
          "the key \"\(name.escapingControls)\" came after the header of the CSV was written; "
            + "a file (-o FILE.csv) can still be given a wider one, and --format ndjson needs none"))
    }
    cells.append(nil)
    return columns.append(name)
  }

  private func writeCells(_ tag: SinkTag?) {
    scratch.removeAll()
    let tagPlace = tag == nil ? nil : columns.place(of: SinkTag.key)
    for place in cells.indices {
      if place > 0 { scratch.append(UInt8(ascii: ",")) }
      if place == tagPlace, let name = tag?.stream {
        scratch.append(cell: name, style)
      } else if let cell = cells[place] {
        append(cell)
      }
    }
    // An empty line would be no row at all.
    if scratch.count == 0 { scratch.append("\"\"") }
    scratch.append("\r\n")
    file.append(scratch.contents)
  }

  /// Adds a value as a cell: text without its quotes, nothing for null, otherwise its JSON.
  private func append(_ value: JSONValue) {
    switch value.kind {
    case .null: break
    case .boolean, .integer, .real: scratch.append(value.bytes)
    case .array, .object, .text(isEscaped: false): scratch.append(cell: value.bytes, style)
    case .text(isEscaped: true):
      unescaped.removeAll()
      value.unescape(into: &unescaped)
      scratch.append(cell: unescaped.contents, style)
    }
  }
}

extension SinkCSV {
  /// Writes the file anew, with all columns in the header and as many cells in every row; says how long the header is then.
  func widen() throws(SinkError) -> Int {
    var newHeaderLength = 0
    var padding = RowPadding(widths: widths, full: columns.count)
    let headerLength = widths[0].offset
    try file.replaceContents { source, target throws(SystemError) in
      var part = ByteBuffer()
      appendHeader { part.append($0) }
      newHeaderLength = part.count
      var length = 0
      var offset = 0
      var chunk = ByteBuffer()
      while true {
        chunk.removeAll()
        let count = try chunk.append(upTo: 1 << 16) { room throws(SystemError) in
          try source.read(into: room)
        }
        let headerRest = min(count, max(0, headerLength - offset))
        padding.pad(UnsafeRawBufferPointer(rebasing: chunk.contents[headerRest...]), into: &part)
        offset += count
        try target.write(part.contents)
        length += part.count
        part.removeAll()
        if count == 0 { return length }
      }
    }
    return newHeaderLength
  }
}

/// Adds empty cells to rows that have too few.
private struct RowPadding {
  private var widths: ArraySlice<(offset: Int, width: Int)>
  private let full: Int
  private var width = 0
  private var offset: Int
  private var isQuoted = false

  /// `widths` says where rows begin to have how many cells.
  init(widths: [(offset: Int, width: Int)], full: Int) {
    self.widths = widths[...]
    self.full = full
    offset = widths[0].offset
    beginRow()
  }

  /// Takes the next bytes of the rows and adds them to the buffer with the cells that are missing.
  mutating func pad(_ rows: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) {
    for byte in rows {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\r") where !isQuoted:
        for _ in width..<full { buffer.append(UInt8(ascii: ",")) }
      case UInt8(ascii: "\n") where !isQuoted: beginRow()
      default: break
      }
      buffer.append(byte)
    }
  }

  private mutating func beginRow() {
    guard let next = widths.first, next.offset <= offset else { return }
    width = next.width
    widths.removeFirst()
  }
}
