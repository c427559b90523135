import CPacking
import Items

/// Packs a text as it comes, in members that readers join.
final class Packer {
  private let raw: OpaquePointer
  /// Whether a member was begun and has not ended.
  private(set) var isInside = false
  /// Whether something was packed that can't be read yet from what was written.
  private var isAhead = false

  init(_ packing: Packing) {
    guard let raw = cpacking_packer_new(packing.format) else { preconditionFailure("no memory to pack") }
    self.raw = raw
  }

  deinit { cpacking_packer_free(raw) }

  func pack(_ bytes: UnsafeRawBufferPointer, into output: inout ByteBuffer) {
    guard !bytes.isEmpty else { return }
    (isInside, isAhead) = (true, true)
    run(bytes, CPACKING_MORE, into: &output)
  }

  /// All that was packed can be read from what is written.
  func flush(into output: inout ByteBuffer) {
    guard isAhead else { return }
    isAhead = false
    run(UnsafeRawBufferPointer(start: nil, count: 0), CPACKING_FLUSH, into: &output)
  }

  /// Ends the member, also one without anything in it.
  func end(into output: inout ByteBuffer) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), CPACKING_END, into: &output)
    (isInside, isAhead) = (false, false)
  }

  /// What would end the member, directly behind a flush.
  var ending: [UInt8] {
    guard isInside else { return [] }
    return [UInt8](unsafeUninitializedCapacity: 16) { room, count in
      count = cpacking_ending(raw, room.baseAddress)
    }
  }

  private func run(
    _ bytes: UnsafeRawBufferPointer, _ mode: cpacking_mode, into output: inout ByteBuffer
  ) {
    var done = 0
    var result = CPACKING_ROOM
    while result == CPACKING_ROOM {
      _ = output.append(upTo: Packer.room) { room in
        var (taken, written) = (0, 0)
        result = cpacking_pack(
          raw, bytes.baseAddress.map { $0 + done }, bytes.count - done, &taken, room.baseAddress, room.count,
          &written, mode)
        done += taken
        return written
      }
    }
    guard result == CPACKING_DONE else { preconditionFailure("no memory to pack") }
  }

  private static let room = 64 << 10
}
