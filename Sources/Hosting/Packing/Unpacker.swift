import CPacking
import Items

/// Reads a text that is packed in what something else reads.
final class Unpacker<Failure: Error> {
  /// Why there is no more of the text.
  enum Fault: Error {
    case source(Failure)
    /// It is not packed in this way, or damaged.
    case damaged
    /// It ends in the middle.
    case cut
  }

  private let raw: OpaquePointer
  private let isOpenEnded: Bool
  private let source: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// What of the chunk is not unpacked.
  private var rest = 0..<0
  private var isSourceAtEnd = false
  /// Whether any of the packed text has come.
  private(set) var hasBegun = false
  /// Whether what was unpacked last left some that did not fit.
  private var isFull = false

  /// Unpacks what `source` reads. Where the text is still written, it may end anywhere.
  init(
    _ packing: Packing, isOpenEnded: Bool = false,
    _ source: @escaping (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) {
    guard let raw = cpacking_unpacker_new(packing.format) else { preconditionFailure("no memory to unpack") }
    self.raw = raw
    self.isOpenEnded = isOpenEnded
    self.source = source
  }

  deinit {
    cpacking_unpacker_free(raw)
    chunk.deallocate()
  }

  /// Reads some of the text; zero at its end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard room.count > 0 else { return 0 }
    while true {
      if rest.isEmpty, !isFull, !isSourceAtEnd { try refill() }
      if rest.isEmpty, !isFull {
        guard isOpenEnded || cpacking_is_between(raw) else { throw .cut }
        return 0
      }
      var (taken, written) = (0, 0)
      let result = cpacking_unpack(
        raw, chunk.baseAddress! + rest.lowerBound, rest.count, &taken, room.baseAddress, room.count, &written)
      guard result != CPACKING_FAILED else { throw .damaged }
      rest = rest.lowerBound + taken..<rest.upperBound
      hasBegun = hasBegun || taken > 0
      isFull = result == CPACKING_ROOM && written == room.count
      if written > 0 { return written }
      if !isFull, taken == 0, !rest.isEmpty { throw .damaged }
    }
  }

  private func refill() throws(Fault) {
    do throws(Failure) {
      let count = try source(chunk)
      isSourceAtEnd = count == 0
      rest = 0..<count
    } catch {
      throw .source(error)
    }
  }
}
