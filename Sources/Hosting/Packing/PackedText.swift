import Items

/// The packed form of a text that is being written: where in it a run can go on that was killed.
///
/// A text that counts is flushed, not ended, so that what follows packs well: a flush costs a few bytes, a member of its own
/// much. Who goes on behind such a place writes the ending that was noted with it, and begins another member.
final class PackedText {
  /// A place to go on from.
  struct Place: Equatable {
    /// Bytes of the file.
    var length: Int
    /// What ends the member there.
    var ending: [UInt8]

    /// Begins what state keeps of it.
    static let mark = "packed "
  }

  let packing: Packing
  /// What is not written yet.
  private(set) var output = ByteBuffer()
  private let packer: Packer
  /// Bytes that were written.
  private(set) var written = 0
  /// Bytes of the text that are packed.
  private var offset = 0
  /// The offset of the text that is to become a place.
  private var mark: Int?
  /// The last place, and the offset of the text there.
  private var last: (offset: Int, place: Place)?

  init(_ packing: Packing) {
    self.packing = packing
    packer = Packer(packing)
  }

  /// Goes on behind a place.
  func goOn(at offset: Int, from place: Place) {
    self.offset = offset
    written = place.length
    last = (offset, place)
    output.removeAll()
    place.ending.withUnsafeBytes { output.append($0) }
  }

  /// What is or will be appended up to there counts.
  func mark(at offset: Int) {
    if last?.offset != offset { mark = offset }
  }

  func pack(_ bytes: UnsafeRawBufferPointer) {
    var bytes = bytes
    if let mark, offset...offset + bytes.count ~= mark {
      packer.pack(UnsafeRawBufferPointer(rebasing: bytes.prefix(mark - offset)), into: &output)
      bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark - offset))
      offset = mark
      packer.flush(into: &output)
      last = (mark, Place(length: written + output.count, ending: packer.ending))
      self.mark = nil
    }
    packer.pack(bytes, into: &output)
    offset += bytes.count
  }

  func flush() { packer.flush(into: &output) }

  /// Ends the text.
  func end() {
    if packer.isInside || written + output.count == 0 { packer.end(into: &output) }
  }

  /// The place at an offset that was marked and flushed, or before all text.
  func place(at offset: Int) -> Place? {
    if let last, last.offset == offset { return last.place }
    return offset == 0 ? Place(length: 0, ending: []) : nil
  }

  /// What was output is written, or went the way of a write that failed.
  func clear() {
    written += output.count
    output.removeAll()
  }

  /// A member of its own.
  static func member(_ packing: Packing, of text: StaticString) -> Bytes {
    var output = ByteBuffer()
    let packer = Packer(packing)
    packer.pack(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), into: &output)
    packer.end(into: &output)
    return output.bytes()
  }
}
