import Glibc

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
