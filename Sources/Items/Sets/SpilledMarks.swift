/// Marks in an area of a room outside of memory, ascending and without gaps; in memory are where each block begins, and a filter
/// that says of most others that they are not there.
///
/// It is changed by whoever has the only reference to it, as the storage of an array is; others may look for marks at the same
/// time, as what it is made of doesn't change then.
final class SpilledMarks: @unchecked Sendable {
  private let room: any SpillRoom
  private let area: Int
  private let form: Form
  private var count = 0
  /// The first bits of the first mark of each block.
  private var fences: [UInt64] = []
  private var filter = Filter()

  /// None yet; wide ones have second bits. Nil where there is no area for them.
  init?(in room: any SpillRoom, isWide: Bool) {
    guard let area = room.takeArea() else { return nil }
    (self.room, self.area, form) = (room, area, Form(isWide: isWide))
  }

  deinit { room.giveBack(area: area) }

  /// Marks that are merged with these together: with each way through all of them more, so that the ways don't become more and
  /// more for each mark.
  var leastMerged: Int { max(room.leastSpilled, count / 64) }

  /// The same marks, in an area of their own; nil where there is no room for them.
  func copy() -> SpilledMarks? {
    guard let copy = SpilledMarks(in: room, isWide: form.isWide),
      room.reserve(count * form.size, inArea: copy.area)
    else { return nil }
    let (length, chunk) = (count * form.size, form.chunk * form.size)
    withUnsafeTemporaryAllocation(byteCount: chunk, alignment: 8) { bytes in
      for start in stride(from: 0, to: length, by: chunk) {
        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(chunk, length - start)])
        room.read(part, at: start, inArea: area)
        room.write(UnsafeRawBufferPointer(part), at: start, inArea: copy.area)
      }
    }
    (copy.count, copy.fences, copy.filter) = (count, fences, filter)
    return copy
  }

  func contains(_ mark: PassedMark) -> Bool {
    guard filter.mayHave(mark) else { return false }
    // The first block that begins with its first bits or with greater ones; it may be in the one before.
    var (low, high) = (0, fences.count)
    while low < high {
      let middle = (low + high) / 2
      if fences[middle] < mark.first { low = middle + 1 } else { high = middle }
    }
    var block = max(0, low - 1)
    repeat {
      if isThere(mark, inBlock: block) { return true }
      block += 1
    } while block < fences.count && fences[block] == mark.first
    return false
  }

  private func isThere(_ mark: PassedMark, inBlock block: Int) -> Bool {
    let start = block * form.block
    return withUnsafeTemporaryAllocation(
      byteCount: min(form.block, count - start) * form.size, alignment: 8
    ) { bytes in
      room.read(bytes, at: start * form.size, inArea: area)
      var (low, high) = (0, bytes.count / form.size)
      while low < high {
        let middle = (low + high) / 2
        let found = form.mark(middle, of: UnsafeRawBufferPointer(bytes))
        if found == mark { return true }
        if found < mark { low = middle + 1 } else { high = middle }
      }
      return false
    }
  }

  /// Takes all of the held marks in, which are others; false, and nothing is changed, where there is no room for them.
  ///
  /// From the last to the first, so that each finds its place behind those that are still to be moved.
  func merge(_ held: inout HeldMarks) -> Bool {
    let total = count + held.count
    guard room.reserve(total * form.size, inArea: area) else { return false }
    fences += repeatElement(0, count: (total + form.block - 1) / form.block - fences.count)
    var older = Older(self)
    var newer = held.popLast()
    var bytes = [UInt8](repeating: 0, count: form.chunk * form.size)
    var end = total
    // Once there are no newer ones, those that are left are where they belong.
    while newer != nil {
      let start = (end - 1) / form.chunk * form.chunk
      for place in (start..<end).reversed() {
        let old = older.last
        let mark: PassedMark
        if let new = newer, old.map({ $0 < new }) ?? true {
          mark = new
          filter.insert(new)
          newer = held.popLast()
        } else {
          mark = old!
          older.removeLast()
        }
        form.store(mark, place - start, in: &bytes)
        if place % form.block == 0 { fences[place / form.block] = mark.first }
      }
      bytes.withUnsafeBytes {
        room.write(.init(rebasing: $0[..<((end - start) * form.size)]), at: start * form.size, inArea: area)
      }
      end = start
    }
    count = total
    return true
  }

  /// The marks from the last to the first, many of which are read at once.
  private struct Older {
    private let marks: SpilledMarks
    /// Those that are left, and the first of them that was read.
    private var (count, start): (Int, Int)
    private var bytes: [UInt8]

    init(_ marks: SpilledMarks) {
      self.marks = marks
      (count, start) = (marks.count, marks.count)
      bytes = [UInt8](repeating: 0, count: min(marks.form.chunk, marks.count) * marks.form.size)
    }

    var last: PassedMark? {
      mutating get {
        guard count > 0 else { return nil }
        if count == start { read() }
        return bytes.withUnsafeBytes { marks.form.mark(count - 1 - start, of: $0) }
      }
    }

    mutating func removeLast() { count -= 1 }

    private mutating func read() {
      let form = marks.form
      start = max(0, count - form.chunk)
      bytes.withUnsafeMutableBytes {
        marks.room.read(
          .init(rebasing: $0[..<((count - start) * form.size)]), at: start * form.size, inArea: marks.area)
      }
    }
  }

  /// Two bits for each mark, in one word of four megabytes: with three million marks a hundredth of the others may be there, with ten
  /// million a quarter (a Bloom filter in blocks).
  private struct Filter {
    private var words = [UInt64](repeating: 0, count: 1 << 19)

    mutating func insert(_ mark: PassedMark) { words[Self.place(of: mark)] |= Self.bits(of: mark) }

    func mayHave(_ mark: PassedMark) -> Bool {
      let bits = Self.bits(of: mark)
      return words[Self.place(of: mark)] & bits == bits
    }

    private static func place(of mark: PassedMark) -> Int { Int(mark.first >> 20 & (1 << 19 - 1)) }

    private static func bits(of mark: PassedMark) -> UInt64 {
      1 << (mark.first >> 39 & 63) | 1 << (mark.first >> 45 & 63)
    }
  }

  /// How marks are written: the first bits in eight bytes, the second ones of wide marks in three.
  private struct Form {
    let isWide: Bool
    let size: Int
    /// Marks that are looked through at once, in about a page of memory, and those that are read and written at once.
    let block: Int
    let chunk: Int

    init(isWide: Bool) {
      self.isWide = isWide
      size = isWide ? 11 : 8
      block = 4096 / size
      chunk = block * 16
    }

    func mark(_ place: Int, of bytes: UnsafeRawBufferPointer) -> PassedMark {
      let start = place * size
      let first = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      guard isWide else { return PassedMark(first: first) }
      return PassedMark(
        first: first, second: bytes.loadUnaligned(fromByteOffset: start + 7, as: UInt32.self) >> 8)
    }

    func store(_ mark: PassedMark, _ place: Int, in bytes: inout [UInt8]) {
      bytes.withUnsafeMutableBytes {
        $0.storeBytes(of: mark.first, toByteOffset: place * size, as: UInt64.self)
        guard isWide else { return }
        let end = mark.first >> 56 | UInt64(mark.second) << 8
        $0.storeBytes(of: UInt32(end), toByteOffset: place * size + 7, as: UInt32.self)
      }
    }
  }
}
