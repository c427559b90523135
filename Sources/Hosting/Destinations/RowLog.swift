import CADBC
import CPacking
import Glibc

/// Rows that wait in a file as they were built, portion by portion: of each the number of rows, for each column the number of those
/// that are NULL and the lengths of its buffers, the checksum of these numbers and the buffers, and then the buffers, all in this
/// machine's own order of bytes.
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
  init(_ path: String, end: Int) throws {
    self.path = path
    file = try FileDescriptor.open(path, O_RDWR)
    self.end = end
    guard try file.status().st_size >= end else { throw DamagedLog() }
  }

  /// Forgets all of it: the file goes.
  func remove() { unlink(path) }

  /// Adds a portion.
  func append(_ rows: BuiltRows) throws(SystemError) {
    let columns = rows.buffers
    var numbers = [rows.count] + columns.flatMap { [$0.nullCount] + $0.buffers.map(\.count) }
    numbers.append(Portion.checksum(numbers[...], columns.flatMap(\.buffers)))
    try file.seek(to: end)
    var written = numbers.count * 8
    try RowLog.withBytes(of: numbers) { bytes throws(SystemError) in try file.write(bytes) }
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

  /// Reads the portions of these columns from one place to another, in order; throws `DamagedLog` where they are not as they were
  /// written.
  func forEach(
    _ fields: [BuiltRows.Field], from first: Int, to last: Int, _ body: (BuiltRows) throws -> Void
  ) throws {
    var place = first
    while place < last {
      try file.seek(to: place)
      let portion = Portion(fields, within: last - place)
      try portion.read(from: file)
      place += portion.byteCount
      try body(portion.release())
    }
  }
}

/// What is in a log is not what was written there.
struct DamagedLog: Error {}

/// A portion of a log that is read. Nothing that it says is taken for granted before its checksum is known to be right.
private final class Portion {
  private let fields: [BuiltRows.Field]
  /// Bytes that there are of it at most.
  private let limit: Int
  private(set) var byteCount = 0
  private var count = 0
  private var nullCounts: [Int] = []
  private var buffers: [UnsafeMutableRawBufferPointer] = []

  init(_ fields: [BuiltRows.Field], within limit: Int) { (self.fields, self.limit) = (fields, limit) }

  deinit { for buffer in buffers { free(buffer.baseAddress) } }

  /// Of the numbers before it, and the buffers.
  static func checksum(_ numbers: ArraySlice<Int>, _ buffers: [UnsafeRawBufferPointer]) -> Int {
    var sum = cpacking_checksum()
    cpacking_checksum_begin(&sum)
    numbers.withUnsafeBytes { cpacking_checksum_add(&sum, $0.baseAddress, $0.count) }
    for buffer in buffers { cpacking_checksum_add(&sum, buffer.baseAddress, buffer.count) }
    return Int(cpacking_checksum_value(&sum))
  }

  /// Reads it from where the file is.
  func read(from file: FileDescriptor) throws {
    var numbers = [Int](repeating: 0, count: 2 + fields.reduce(0) { $0 + 1 + $1.bufferCount })
    guard numbers.count * 8 <= limit else { throw DamagedLog() }
    try numbers.withUnsafeMutableBytes { try fill($0, from: file) }
    byteCount = numbers.count * 8
    count = numbers[0]
    // Each has a bit at least in any buffer.
    guard 0...limit * 8 ~= count else { throw DamagedLog() }
    var rest = numbers.dropFirst()
    for field in fields {
      nullCounts.append(rest.removeFirst())
      let lengths = rest.prefix(field.bufferCount)
      guard lengths.prefix(2).elementsEqual([(count + 7) / 8, field.valueBytes(count)]) else {
        throw DamagedLog()
      }
      for length in lengths {
        guard 0...limit - byteCount ~= length else { throw DamagedLog() }
        let buffer = UnsafeMutableRawBufferPointer(start: malloc(max(8, length)), count: length)
        buffers.append(buffer)
        try fill(buffer, from: file)
        byteCount += length
      }
      rest = rest.dropFirst(field.bufferCount)
    }
    guard Portion.checksum(numbers.dropLast(), buffers.map { UnsafeRawBufferPointer($0) }) == rest.first
    else {
      throw DamagedLog()
    }
  }

  /// Reads as many bytes.
  private func fill(_ room: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws {
    var done = 0
    while done < room.count {
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[done...]))
      guard count > 0 else { throw DamagedLog() }
      done += count
    }
  }

  /// Gives its rows away; it is empty then.
  func release() -> BuiltRows {
    var rest = buffers[...]
    buffers = []
    let columns = zip(fields, nullCounts).map { field, nullCount in
      let own = rest.prefix(field.bufferCount)
      rest = rest.dropFirst(field.bufferCount)
      return ArrowArray(
        length: count, nullCount: nullCount, buffers: own.map { UnsafeRawPointer($0.baseAddress!) })
    }
    return BuiltRows(fields, columns, count: count)
  }
}

extension BuiltRows {
  /// The number of rows.
  var count: Int { Int(array.length) }

  /// Whether they are so long that a transaction ends long before a database has a group of rows to pack.
  var isWide: Bool { byteCount > count << 12 }

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
