import Glibc
import Items
import JSON
import Paging

/// Items as CSV rows (RFC 4180). The columns are the keys of the first delivery; a later key gets a new column at the
/// right, and `widen` completes the header and the earlier rows before others see the file.
///
/// Nested values are JSON text, null is an empty cell, an empty text is `""`, and an item that is not an object is in a
/// column `value`.
final class SinkCSV: SinkStream {
  let file: SinkFile
  /// How much of the file counts, if not all of it does.
  var counting: () -> Int? = { nil }
  private var columns = SinkColumns()
  /// Offsets at which rows start to have more cells, with the number; the first entry is for the first row.
  private var widths: [(offset: Int, width: Int)] = []
  /// While a file with all columns is written, the length of its header.
  private var newHeaderLength: Int?
  /// The layout, as long as it has this shape.
  private var knownLayout: (shape: [Int], text: String) = ([], "")
  private var cells: [JSONValue?] = []
  private var reader = JSONReader()
  private var scratch = ByteBuffer()
  private var unescaped = ByteBuffer()
  /// Null is an empty cell, unlike an empty text.
  private let style: CSVStyle

  /// Writes to the file; in a safe one, formulas are defused.
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
    knownLayout.shape = []
  }

  /// The columns, and the offsets at which rows start to have more of them; the second form is what `widen` makes.
  var layout: String? {
    let shape = [columns.count, widths.count, newHeaderLength ?? -1]
    if knownLayout.shape == shape { return knownLayout.text }
    var writer = JSONWriter()
    writer.object {
      $0.member("columns", columns.names) { $0.text($1) }
      $0.member("widths", newHeaderLength.map { [($0, columns.count)] } ?? widths) { json, width in
        json.array {
          $0.integer(Int64(width.0))
          $0.integer(Int64(width.1))
        }
      }
    }
    knownLayout = (shape, writer.bytes().string)
    return knownLayout.text
  }

  func goOn(with layout: String?) -> Bool {
    guard let layout, let tree = try? JSONTree(layout), case .list(let names)? = tree["columns"],
      case .list(let offsets)? = tree["widths"]
    else { return false }
    columns = SinkColumns()
    widths = []
    for name in names {
      guard let name = name.text else { return false }
      columns.append(name)
    }
    for pair in offsets {
      guard case .list(let numbers) = pair, numbers.count == 2,
        let offset = numbers[0].number.flatMap({ Int(exactly: $0) }), 0...file.offset ~= offset,
        let width = numbers[1].number.flatMap({ Int(exactly: $0) }), 0...names.count ~= width
      else { return false }
      widths.append((offset, width))
    }
    return !widths.isEmpty || file.offset == 0
  }

  /// The header with all columns, including its line end.
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

  /// Nothing of a row is written if it is invalid.
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
    // An empty line would not be a row.
    if scratch.count == 0 { scratch.append("\"\"") }
    scratch.append("\r\n")
    file.append(scratch.contents)
  }

  /// Appends a value as a cell: a string without quotes, nothing for null, otherwise its JSON.
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
  /// Rewrites the file, with all columns in the header and as many cells in every row; returns the length of the
  /// header.
  func widen() throws(SinkError) -> Int {
    defer { self.newHeaderLength = nil }
    var newHeaderLength = 0
    var padding = RowPadding(widths: widths, full: columns.count)
    let headerLength = widths[0].offset
    try file.replaceContents { source, target throws(SystemError) in
      var part = ByteBuffer()
      appendHeader { part.append($0) }
      newHeaderLength = part.count
      self.newHeaderLength = part.count
      var length = 0
      var offset = 0
      let counting = counting()
      var newCounting: Int?
      var chunk = ByteBuffer()
      while true {
        chunk.removeAll()
        let count = try chunk.append(upTo: 1 << 16) { room throws(SystemError) in
          try source.read(into: room)
        }
        var rest = UnsafeRawBufferPointer(
          rebasing: chunk.contents[min(count, max(0, headerLength - offset))...])
        if let counting, offset..<offset + count ~= counting {
          let front = max(0, rest.count - (offset + count - counting))
          padding.pad(UnsafeRawBufferPointer(rebasing: rest[..<front]), into: &part)
          try target.write(part.contents)
          length += part.count
          part.removeAll()
          target.mark()
          newCounting = length
          rest = UnsafeRawBufferPointer(rebasing: rest[front...])
        }
        padding.pad(rest, into: &part)
        offset += count
        try target.write(part.contents)
        length += part.count
        part.removeAll()
        guard count == 0 else { continue }
        if newCounting == nil { target.mark() }
        return (length, newCounting ?? length)
      }
    }
    return newHeaderLength
  }
}

/// Adds empty cells to short rows.
private struct RowPadding {
  private var widths: ArraySlice<(offset: Int, width: Int)>
  private let full: Int
  private var width = 0
  private var offset: Int
  private var isQuoted = false

  /// `widths` are the offsets at which rows start to have how many cells.
  init(widths: [(offset: Int, width: Int)], full: Int) {
    self.widths = widths[...]
    self.full = full
    offset = widths[0].offset
    beginRow()
  }

  /// Appends the next bytes of the rows to the buffer, with the missing cells.
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
