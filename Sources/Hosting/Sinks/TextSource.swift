import Glibc
import Items

/// A text that is read back from the file that it is being written to, whether packed or not.
final class TextSource {
  private let file: FileDescriptor
  private let unpacker: Unpacker<SystemError>?

  init(_ file: FileDescriptor, _ packing: Packing?) {
    self.file = file
    unpacker = packing.map {
      Unpacker($0, isOpenEnded: true) { room throws(SystemError) in try file.read(into: room) }
    }
  }

  /// Reads some of the text; zero at its end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard let unpacker else { return try file.read(into: room) }
    do throws(Unpacker<SystemError>.Fault) { return try unpacker.read(into: room) } catch {
      guard case .source(let error) = error else { throw SystemError(number: EIO) }
      throw error
    }
  }
}

/// A text that is written anew, whether packed or not.
final class TextTarget {
  let packed: PackedText?
  private let file: FileDescriptor
  private var offset = 0

  init(_ file: FileDescriptor, _ packing: Packing?) {
    self.file = file
    packed = packing.map(PackedText.init)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    offset += bytes.count
    guard let packed else { return try file.write(bytes) }
    packed.pack(bytes)
    try file.write(packed.output.contents)
    packed.clear()
  }

  /// All that was written counts.
  func mark() { packed?.mark(at: offset) }

  /// What was written can be read back.
  func flush() throws(SystemError) {
    guard let packed else { return }
    packed.pack(UnsafeRawBufferPointer(start: nil, count: 0))
    packed.flush()
    try file.write(packed.output.contents)
    packed.clear()
  }
}
