/// Ids of items that a reader has passed: nothing but whether an id is among them, in eight bytes for an integer and nine for a
/// text, and, once they are many, in hardly any: where there is room for it, the others are on a disk.
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
    case .integer(let value): !integers.isEmpty && integers.contains(PassedMark(value))
    case .text(var text): !texts.isEmpty && texts.contains(text.withUTF8 { PassedMark(.init($0)) })
    }
  }

  mutating func insert(_ value: Int64) { integers.insert(PassedMark(value)) }

  /// Inserts a text by its UTF-8.
  mutating func insert(_ text: UnsafeRawBufferPointer) { texts.insert(PassedMark(text)) }

  mutating func remove(_ id: ItemID) {
    switch id {
    case .integer(let value): integers.remove(PassedMark(value))
    case .text(var text): texts.remove(text.withUTF8 { PassedMark(.init($0)) })
    }
  }

  /// Puts into the room what is too much to hold.
  mutating func spill(into room: any SpillRoom) {
    integers.spill(into: room)
    texts.spill(into: room)
  }
}

/// Marks of one kind: the newest in memory, the others where they were spilled to.
private struct PassedMarks: Sendable {
  private var held: HeldMarks
  private var spilled: SpilledMarks?
  /// Spilled marks that were removed.
  private var removed: Set<PassedMark> = []
  /// Marks that are held before any are spilled, if the room does not say more.
  private var limit = 0

  /// Held marks have so many bytes.
  init(size: Int) { held = HeldMarks(size: size) }

  var isEmpty: Bool { held.isEmpty && spilled == nil }

  func contains(_ mark: PassedMark) -> Bool {
    held.contains(mark) || spilled.map { $0.contains(mark) && !removed.contains(mark) } ?? false
  }

  mutating func insert(_ mark: PassedMark) {
    if removed.isEmpty || removed.remove(mark) == nil { held.insert(mark) }
  }

  mutating func remove(_ mark: PassedMark) {
    if !held.remove(mark), let spilled, spilled.contains(mark) { removed.insert(mark) }
  }

  mutating func spill(into room: any SpillRoom) {
    guard held.count >= max(limit, room.leastSpilled) else { return }
    if spilled == nil {
      spilled = SpilledMarks(in: room, isWide: held.size > 8)
    } else if !isKnownUniquelyReferenced(&spilled), let copy = spilled?.copy() {
      spilled = copy
    }
    if isKnownUniquelyReferenced(&spilled), let spilled, spilled.merge(&held) {
      limit = spilled.leastMerged
    } else {
      limit = held.count * 2
    }
  }
}

/// Marks of one size, ascending in lists to which their leading bits deal them, so that lists stay short and grow one by one.
struct HeldMarks: Sendable {
  /// Bytes of a mark, without the bits that its list says: those of a word, and one more for texts.
  let size: Int
  private(set) var count = 0
  private var lists: [[UInt8]] = []
  /// No later list has a mark.
  private var last = 0

  init(size: Int) { self.size = size }

  var isEmpty: Bool { count == 0 }

  func contains(_ mark: PassedMark) -> Bool {
    guard !lists.isEmpty else { return false }
    let entry = Entry(mark)
    return Self.place(of: entry, in: lists[entry.list], size).isThere
  }

  mutating func insert(_ mark: PassedMark) {
    if lists.isEmpty { lists = Array(repeating: [], count: 1 << Entry.listBits) }
    let entry = Entry(mark)
    let (place, isThere) = Self.place(of: entry, in: lists[entry.list], size)
    guard !isThere else { return }
    Self.insert(entry, at: place * size, of: &lists[entry.list], size)
    count += 1
    last = max(last, entry.list)
  }

  /// Whether it was there.
  mutating func remove(_ mark: PassedMark) -> Bool {
    guard !lists.isEmpty else { return false }
    let entry = Entry(mark)
    let (place, isThere) = Self.place(of: entry, in: lists[entry.list], size)
    guard isThere else { return false }
    lists[entry.list].removeSubrange(place * size..<(place + 1) * size)
    count -= 1
    return true
  }

  /// Takes out the greatest; the room that it had stays for others.
  mutating func popLast() -> PassedMark? {
    guard count > 0 else { return nil }
    while lists[last].isEmpty { last -= 1 }
    let start = lists[last].count - size
    let mark = lists[last].withUnsafeBytes { Entry($0, at: start, size, ofList: last).mark }
    lists[last].removeLast(size)
    count -= 1
    return mark
  }

  /// Inserts before a byte; there is little room to spare in a list, as there are many.
  private static func insert(_ entry: Entry, at start: Int, of list: inout [UInt8], _ size: Int) {
    let length = list.count
    if length + size > list.capacity {
      list.reserveCapacity(length + max(size, length / 32 / size * size))
    }
    list.append(contentsOf: repeatElement(0, count: size))
    list.withUnsafeMutableBytes { bytes in
      let place = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      let behind = UnsafeMutableRawBufferPointer(rebasing: place[size...])
      behind.copyMemory(from: UnsafeRawBufferPointer(rebasing: place[..<(length - start)]))
      place.storeBytes(of: entry.word, as: UInt64.self)
      if size > 8 { place[8] = entry.rest }
    }
  }

  /// The place of an entry among those of a list, or where it belongs. They are spread evenly, so that it is near where its word
  /// says.
  private static func place(of entry: Entry, in list: [UInt8], _ size: Int) -> (place: Int, isThere: Bool) {
    list.withUnsafeBytes { bytes in
      let count = bytes.count / size
      func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place * size, as: UInt64.self) }
      func rest(_ place: Int) -> UInt8 { size > 8 ? bytes[place * size + 8] : 0 }
      var place = Int(entry.word.multipliedFullWidth(by: UInt64(count)).high)
      while place > 0, word(place - 1) >= entry.word { place -= 1 }
      while place < count, word(place) < entry.word { place += 1 }
      while place < count, word(place) == entry.word, rest(place) < entry.rest { place += 1 }
      return (
        place, place < count && word(place) == entry.word && (size == 8 || rest(place) == entry.rest)
      )
    }
  }

  /// A mark in its list.
  private struct Entry {
    let list: Int
    /// What the list does not say of the first bits, and as many of the second ones as have room.
    let word: UInt64
    /// The bits behind those.
    let rest: UInt8

    static let listBits = 14
    private static let restBits = PassedMark.secondBits - listBits

    init(_ mark: PassedMark) {
      list = Int(mark.first >> (64 - Entry.listBits))
      word = mark.first << Entry.listBits | UInt64(mark.second >> Entry.restBits)
      rest = UInt8(truncatingIfNeeded: mark.second)
    }

    init(_ bytes: UnsafeRawBufferPointer, at start: Int, _ size: Int, ofList list: Int) {
      self.list = list
      word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      rest = size > 8 ? bytes[start + 8] : 0
    }

    var mark: PassedMark {
      PassedMark(
        first: UInt64(list) << (64 - Entry.listBits) | word >> Entry.listBits,
        second: UInt32(word & (1 << Entry.listBits - 1)) << Entry.restBits | UInt32(rest))
    }
  }
}
