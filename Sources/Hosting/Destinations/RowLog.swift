import CADBC
import Glibc

/// Rows that wait in a file as they were built, portion by portion: of each the number of rows, for each column the number of those
/// that are NULL and the lengths of its buffers, and then the buffers, in this machine's own order of bytes.
final class RowLog {
  private let file: FileDescriptor
  private let path: String
  /// Where the next portion goes.
  private(set) var end: Int

  /// A new file, in place of one that is there.
  init(replacing path: String) throws(SystemError) {
    self.path = path
    unlink(path)
    file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL)
    end = 0
    WholeFile.synchronizeFolder(of: path)
  }

  /// What is there, up to a place.
  init(_ path: String, end: Int) throws(SystemError) {
    self.path = path
    file = try FileDescriptor.open(path, O_RDWR)
    self.end = end
  }

  /// Forgets all of it: the file goes.
  func remove() { unlink(path) }

  /// Adds a portion.
  func append(_ rows: BuiltRows) throws(SystemError) {
    let columns = rows.buffers
    let counts = [rows.count] + columns.flatMap { [$0.nullCount] + $0.buffers.map(\.count) }
    try file.seek(to: end)
    var written = counts.count * 8
    try RowLog.withBytes(of: counts) { bytes throws(SystemError) in try file.write(bytes) }
    for buffer in columns.flatMap(\.buffers) {
      try file.write(buffer)
      written += buffer.count
    }
    end += written
  }

  private static func withBytes(
    of numbers: [Int], _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    var problem: SystemError?
    numbers.withUnsafeBytes { bytes in
      do throws(SystemError) { try body(bytes) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  /// Returns when the disk has it.
  func synchronize() throws(SystemError) { try file.synchronize() }

  /// Reads the portions of these columns from one place to another, in order.
  func forEach(
    _ fields: [BuiltRows.Field], from first: Int, to last: Int, _ body: (BuiltRows) throws -> Void
  ) throws {
    var place = first
    while place < last {
      try file.seek(to: place)
      let numbers = 1 + fields.reduce(0) { $0 + 1 + $1.bufferCount }
      let header = UnsafeMutableRawBufferPointer.allocate(byteCount: numbers * 8, alignment: 8)
      defer { header.deallocate() }
      try fill(header)
      var counts = header.bindMemory(to: Int.self)[...]
      let count = counts.removeFirst()
      place += header.count
      var columns: [ArrowArray] = []
      do {
        for field in fields {
          let nullCount = counts.removeFirst()
          let lengths = counts.prefix(field.bufferCount)
          // A disk may have changed it: nothing may be read behind a buffer.
          guard 0...(last - place) ~= count,
            lengths.prefix(2).elementsEqual([(count + 7) / 8, field.valueBytes(count)])
          else { throw SystemError(number: EIO) }
          counts = counts.dropFirst(field.bufferCount)
          columns.append(try column(count, nullCount, Array(lengths), end: last - place))
          place += lengths.reduce(0, +)
        }
      } catch {
        for column in columns { column.discard() }
        throw error
      }
      try body(BuiltRows(fields, columns, count: count))
    }
  }

  private func column(_ count: Int, _ nullCount: Int, _ lengths: [Int], end: Int) throws(SystemError)
    -> ArrowArray
  {
    guard lengths.allSatisfy({ 0...max(0, end) ~= $0 }) else { throw SystemError(number: EIO) }
    var buffers: [UnsafeRawPointer] = []
    for length in lengths {
      let memory = malloc(max(8, length))!
      buffers.append(UnsafeRawPointer(memory))
      do throws(SystemError) {
        try fill(UnsafeMutableRawBufferPointer(start: memory, count: length))
      } catch {
        for buffer in buffers { Glibc.free(UnsafeMutableRawPointer(mutating: buffer)) }
        throw error
      }
    }
    return ArrowArray(length: count, nullCount: nullCount, buffers: buffers)
  }

  /// Reads as many bytes.
  private func fill(_ room: UnsafeMutableRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < room.count {
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[done...]))
      guard count > 0 else { throw SystemError(number: EIO) }
      done += count
    }
  }
}

extension BuiltRows {
  /// The number of rows.
  var count: Int { Int(array.length) }

  /// The bytes of all buffers.
  var byteCount: Int { buffers.reduce(0) { $0 + $1.buffers.reduce(0) { $0 + $1.count } } }

  /// The buffers of each column, as far as they are of use, and how many of its values are NULL.
  var buffers: [(nullCount: Int, buffers: [UnsafeRawBufferPointer])] {
    fields.enumerated().map { place, field in
      guard let column = array.children[place]?.pointee else { preconditionFailure("a column is missing") }
      var lengths = [(count + 7) / 8, field.valueBytes(count)]
      if field.bufferCount == 3 {
        let last = column.buffers[1]!.loadUnaligned(fromByteOffset: count * 4, as: Int32.self)
        lengths.append(Int(last))
      }
      let buffers = lengths.enumerated().map {
        UnsafeRawBufferPointer(start: column.buffers[$0.offset], count: $0.element)
      }
      return (Int(column.null_count), buffers)
    }
  }
}

extension BuiltRows.Field {
  /// A bit for each value that is there; the values; and the bytes of texts.
  var bufferCount: Int { format == "u" || format == "z" ? 3 : 2 }

  /// Bytes of the second buffer.
  func valueBytes(_ count: Int) -> Int {
    switch format {
    case "b": (count + 7) / 8
    case "tdD": count * 4
    case "u", "z": (count + 1) * 4
    default: count * 8
    }
  }
}
