import Items
import Paging

/// Items as rows of a table, RFC 4180. The columns are the keys of the first delivery; a key that comes later gets a
/// column at the right, and `widen` completes the header and the earlier rows before others see the file.
///
/// Nested values are JSON text, null is an empty cell, an empty text is `""`, and an item that is no object is in a column
/// `value`.
final class SinkCSV: SinkStream {
  let file: SinkFile
  private(set) var columns = SinkColumns()
  /// Where rows begin to have more cells, and how many; the first entry is for the first row.
  private(set) var widths: [(offset: Int, width: Int)] = []
  private var cells: [JSONSlice?] = []
  private var scratch = ByteBuffer()
  /// Whether cells that a spreadsheet would calculate are marked as texts.
  private let isSafe: Bool

  /// Writes to the file; a safe one has no formulas.
  init(_ file: SinkFile, isSafe: Bool = false) {
    self.file = file
    self.isSafe = isSafe
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

  func end() throws(SinkError) {
    guard widths.count > 1 else { return }
    widths = [(try widen(), columns.count)]
  }

  /// The header with all columns, and its line end.
  func appendHeader(_ append: (UnsafeRawBufferPointer) -> Void) {
    var line = ByteBuffer()
    for (place, name) in columns.names.enumerated() {
      if place > 0 { line.append(",") }
      var name = name
      name.withUTF8 { line.appendCell(UnsafeRawBufferPointer($0), isSafe: isSafe) }
    }
    line.append("\r\n")
    append(line.contents)
  }

  private func writeHeader(_ items: [Item], _ tag: SinkTag?) throws(SinkError) {
    for item in items {
      try item.bytes.withUnsafeBytes { bytes throws(SinkError) in
        var members = try ItemMembers(bytes, of: item.id)
        var likely = 0
        while let key = try members.next()?.key {
          likely = 1 + (columns.place(of: key, likely: likely) ?? columns.append(key.string))
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
      var members = try ItemMembers(bytes, of: item.id)
      var likely = 0
      while let member = try members.next() {
        let known = columns.place(of: member.key, likely: likely)
        let place = if let known { known } else { try addColumn(member.key) }
        cells[place] = member.value
        likely = place + 1
      }
      if columns.count > widths.last!.width { widths.append((file.offset, columns.count)) }
      writeCells(tag)
    }
  }

  private func addColumn(_ key: JSONSlice) throws(SinkError) -> Int {
    guard file.isRegular else {
      throw SinkError(
        HostFailure(
          .invalid,
          "the key \"\(key.string.escapingControls)\" came after the header of the CSV was written; "
            + "a file (-o FILE.csv) can still be given a wider one, and --format ndjson needs none"))
    }
    cells.append(nil)
    return columns.append(key.string)
  }

  private func writeCells(_ tag: SinkTag?) {
    scratch.removeAll()
    let tagPlace = tag == nil ? nil : columns.place(of: SinkTag.key)
    for place in cells.indices {
      if place > 0 { scratch.append(UInt8(ascii: ",")) }
      if place == tagPlace, var name = tag?.stream {
        name.withUTF8 { scratch.appendCell(UnsafeRawBufferPointer($0), isSafe: isSafe) }
      } else if let cell = cells[place] {
        scratch.appendCell(cell, isSafe: isSafe)
      }
    }
    // An empty line would be no row at all.
    if scratch.count == 0 { scratch.append("\"\"") }
    scratch.append("\r\n")
    file.append(scratch.contents)
  }
}
