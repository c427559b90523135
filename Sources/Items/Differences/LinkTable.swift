/// Finds old elements by id: open addressing over hashes, one word for each place, in borrowed memory.
@usableFromInline
struct LinkTable<Element> {
  @usableFromInline let old: UnsafeBufferPointer<Element>
  /// Zero is free; else half of the hash above the offset plus one.
  @usableFromInline let slots: UnsafeMutableBufferPointer<UInt64>
  @usableFromInline let isTaken: UnsafeMutableBufferPointer<Bool>
  /// For each old element the offset plus one of the next with its id; made when there is a second one.
  @usableFromInline var followers: [UInt32] = []
  @usableFromInline let seed = Identity.seed

  /// Places to have for that many elements.
  @inlinable
  static func capacity(_ count: Int) -> Int { count + count / 2 + 8 }

  @inlinable
  init<ID: Hashable>(
    _ old: UnsafeBufferPointer<Element>, slots: UnsafeMutableBufferPointer<UInt64>,
    isTaken: UnsafeMutableBufferPointer<Bool>, id: (Element) -> ID
  ) {
    self.old = old
    self.slots = slots
    self.isTaken = isTaken
    slots.initialize(repeating: 0)
    var index = old.count - 1
    while index >= 0 {
      insert(index, id: id)
      index -= 1
    }
  }

  /// Elements are put in from the last to the first, so that the first with an id is found first.
  @inlinable @inline(__always)
  mutating func insert<ID: Hashable>(_ index: Int, id: (Element) -> ID) {
    let key = id(old[index])
    let hash = Identity.hash(key, seed)
    let place = find(key, hash, id: id)
    if slots[place] != 0 { follow(index, slots[place] & 0xFFFF_FFFF) }
    slots[place] = hash << 32 | UInt64(index + 1)
  }

  @inlinable @inline(never)
  mutating func follow(_ index: Int, _ follower: UInt64) {
    if followers.isEmpty { followers = Array(repeating: 0, count: old.count) }
    followers[index] = UInt32(truncatingIfNeeded: follower)
  }

  /// The first free old element with the id of a new one; -1 when there is none.
  @inlinable @inline(__always)
  func match<ID: Hashable>(_ element: Element, id: (Element) -> ID) -> Int {
    let key = id(element)
    let hash = Identity.hash(key, seed)
    let place = find(key, hash, id: id)
    guard slots[place] != 0 else { return -1 }
    var index = Int(slots[place] & 0xFFFF_FFFF) - 1
    while isTaken[index] {
      guard !followers.isEmpty, followers[index] != 0 else { return -1 }
      index = Int(followers[index]) - 1
    }
    slots[place] = hash << 32 | UInt64(index + 1)
    return index
  }

  /// Whether an old element is free and has the id of a new one.
  @inlinable @inline(__always)
  func isMatch<ID: Hashable>(_ index: Int, _ element: Element, id: (Element) -> ID) -> Bool {
    index < old.count && !isTaken[index] && Identity.isSame(id(old[index]), id(element))
  }

  /// The place of an id, or the free one where it belongs.
  @inlinable @inline(__always)
  func find<ID: Hashable>(_ key: ID, _ hash: UInt64, id: (Element) -> ID) -> Int {
    var place = Int(((hash >> 32) &* UInt64(slots.count)) >> 32)
    let tag = hash & 0xFFFF_FFFF
    while true {
      let slot = slots[place]
      if slot == 0 { return place }
      if slot >> 32 == tag, Identity.isSame(id(old[Int(slot & 0xFFFF_FFFF) - 1]), key) { return place }
      place += 1
      if place == slots.count { place = 0 }
    }
  }
}
