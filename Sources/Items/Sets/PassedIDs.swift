/// Ids of items that a reader has passed: nothing but whether an id is among them, in eight bytes for an integer and nine for a
/// text.
///
/// An integer is kept as it is. Of a text 86 bits of two hashes (SipHash) are kept, whose keys each process draws, so that
/// nobody can choose texts that collide. That any two of a million texts are taken for one has a probability of 7e-15, of ten
/// million 7e-13, of a hundred million 7e-11: less than that of memory without parity changing one of them.
///
/// ```swift
/// passed.insert(.text("a"))
/// passed.contains(.text("a"))  // true
/// ```
struct PassedIDs: Sendable {
  private var integers = PassedMarks(size: 8)
  private var texts = PassedMarks(size: 9)

  var isEmpty: Bool { integers.isEmpty && texts.isEmpty }

  func contains(_ id: ItemID) -> Bool {
    switch id {
    case .integer(let value): !integers.isEmpty && integers.contains(Self.mark(value))
    case .text(var text): !texts.isEmpty && texts.contains(text.withUTF8 { Self.mark(.init($0)) })
    }
  }

  mutating func insert(_ value: Int64) { integers.insert(Self.mark(value)) }

  /// Inserts a text by its UTF-8.
  mutating func insert(_ text: UnsafeRawBufferPointer) { texts.insert(Self.mark(text)) }

  mutating func remove(_ id: ItemID) {
    switch id {
    case .integer(let value): integers.remove(Self.mark(value))
    case .text(var text): texts.remove(text.withUTF8 { Self.mark(.init($0)) })
    }
  }

  /// No two integers have the same: an odd factor and a shift of the high half into the low one can be undone.
  private static func mark(_ value: Int64) -> PassedMarks.Mark {
    var word = (UInt64(bitPattern: value) ^ salt.mask) &* salt.factor
    word ^= word >> 32
    word &*= 0xD6E8_FEB8_6659_FD93
    return PassedMarks.Mark(first: word, second: 0)
  }

  /// Nobody outside can know which integers are near to each other.
  private static let salt = (
    mask: UInt64(truncatingIfNeeded: 3.hashValue), factor: UInt64(truncatingIfNeeded: 4.hashValue) | 1
  )

  private static func mark(_ text: UnsafeRawBufferPointer) -> PassedMarks.Mark {
    var (first, second) = (Hasher(), Hasher())
    second.combine(1 as UInt8)
    first.combine(bytes: text)
    second.combine(bytes: text)
    return PassedMarks.Mark(
      first: UInt64(truncatingIfNeeded: first.finalize()),
      second: UInt64(truncatingIfNeeded: second.finalize()))
  }
}

/// Marks of one size, ascending in lists to which their leading bits deal them, so that lists stay short and grow one by one.
private struct PassedMarks: Sendable {
  struct Mark: Sendable {
    let list: Int
    /// What the list does not say of the first 64 bits, and as many of the others.
    let word: UInt64
    /// The bits behind those, where marks have nine bytes.
    let rest: UInt8

    init(first: UInt64, second: UInt64) {
      list = Int(first >> (64 - PassedMarks.listBits))
      word = first << PassedMarks.listBits | second >> (64 - PassedMarks.listBits)
      rest = UInt8(truncatingIfNeeded: second >> (56 - PassedMarks.listBits))
    }
  }

  static let listBits = 14

  /// Bytes of a mark: those of the word, and one more.
  private let size: Int
  private var lists: [[UInt8]] = []

  init(size: Int) { self.size = size }

  var isEmpty: Bool { lists.isEmpty }

  func contains(_ mark: Mark) -> Bool {
    !lists.isEmpty && Self.place(of: mark, in: lists[mark.list], size).isThere
  }

  mutating func insert(_ mark: Mark) {
    if lists.isEmpty { lists = Array(repeating: [], count: 1 << Self.listBits) }
    let (place, isThere) = Self.place(of: mark, in: lists[mark.list], size)
    if !isThere { Self.insert(mark, at: place * size, of: &lists[mark.list], size) }
  }

  mutating func remove(_ mark: Mark) {
    guard !lists.isEmpty else { return }
    let (place, isThere) = Self.place(of: mark, in: lists[mark.list], size)
    if isThere { lists[mark.list].removeSubrange(place * size..<(place + 1) * size) }
  }

  /// Inserts before a byte; there is little room to spare in a list, as there are many.
  private static func insert(_ mark: Mark, at start: Int, of list: inout [UInt8], _ size: Int) {
    let length = list.count
    if length + size > list.capacity {
      list.reserveCapacity(length + max(size, length / 32 / size * size))
    }
    list.append(contentsOf: repeatElement(0, count: size))
    list.withUnsafeMutableBytes { bytes in
      let place = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      let behind = UnsafeMutableRawBufferPointer(rebasing: place[size...])
      behind.copyMemory(from: UnsafeRawBufferPointer(rebasing: place[..<(length - start)]))
      place.storeBytes(of: mark.word, as: UInt64.self)
      if size > 8 { place[8] = mark.rest }
    }
  }

  /// The place of a mark among those of a list, or where it belongs. They are spread evenly, so that it is near where its word
  /// says.
  private static func place(of mark: Mark, in list: [UInt8], _ size: Int) -> (place: Int, isThere: Bool) {
    list.withUnsafeBytes { bytes in
      let count = bytes.count / size
      func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place * size, as: UInt64.self) }
      func rest(_ place: Int) -> UInt8 { size > 8 ? bytes[place * size + 8] : 0 }
      var place = Int(mark.word.multipliedFullWidth(by: UInt64(count)).high)
      while place > 0, word(place - 1) >= mark.word { place -= 1 }
      while place < count, word(place) < mark.word { place += 1 }
      while place < count, word(place) == mark.word, rest(place) < mark.rest { place += 1 }
      return (place, place < count && word(place) == mark.word && (size == 8 || rest(place) == mark.rest))
    }
  }
}
