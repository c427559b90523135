/// Which elements of two lists are the same: the first half of Heckel's algorithm (1978), on flat tables.
///
/// An element of one list is linked to at most one of the other. Among several with the same id, the one after the last
/// linked element is preferred, else the first free one. Common prefixes and suffixes need no table.
@usableFromInline
struct Links {
  /// Length of the common prefix.
  @usableFromInline var prefix = 0
  /// For each new element between the common ends, its old offset plus one, both relative to the prefix; zero for an
  /// inserted one.
  @usableFromInline var sources: [UInt32] = []
  /// For each old element between the common ends, whether it is in the new list.
  @usableFromInline var isKept: [Bool] = []

  /// Nil as soon as more than `limit` elements are inserted or deleted.
  @inlinable
  init?<Element, ID: Hashable>(
    _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>, id: (Element) -> ID, limit: Int
  ) {
    precondition(max(old.count, new.count) < Int32.max, "a list of \(max(old.count, new.count)) elements")
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, Identity.isSame(id(old[start]), id(new[start])) { start += 1 }
    var suffix = 0
    while suffix < shorter - start,
      Identity.isSame(id(old[old.count - 1 - suffix]), id(new[new.count - 1 - suffix]))
    { suffix += 1 }
    prefix = start
    let oldMiddle = UnsafeBufferPointer(rebasing: old[start..<old.count - suffix])
    let newMiddle = UnsafeBufferPointer(rebasing: new[start..<new.count - suffix])
    guard abs(oldMiddle.count - newMiddle.count) <= limit else { return nil }
    isKept = Array(repeating: false, count: oldMiddle.count)
    if oldMiddle.isEmpty || newMiddle.isEmpty {
      sources = Array(repeating: 0, count: newMiddle.count)
    } else if !link(oldMiddle, newMiddle, id: id, limit: limit) {
      return nil
    }
  }

  @inlinable
  mutating func link<Element, ID: Hashable>(
    _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>, id: (Element) -> ID, limit: Int
  ) -> Bool {
    var unlinked = 0
    let capacity = LinkTable<Element>.capacity(old.count)
    sources = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { slots in
      isKept.withUnsafeMutableBufferPointer { isKept in
        let table = LinkTable(old, slots: slots, isTaken: isKept, id: id)
        return Array(unsafeUninitializedCapacity: new.count) { sources, count in
          var next = 0
          while count < new.count, unlinked <= limit {
            let element = new[count]
            let match = table.isMatch(next, element, id: id) ? next : table.match(element, id: id)
            if match >= 0 {
              isKept[match] = true
              next = match + 1
            } else {
              unlinked += 1
            }
            sources.initializeElement(at: count, to: UInt32(truncatingIfNeeded: match + 1))
            count += 1
          }
        }
      }
    }
    return unlinked <= limit
  }
}

/// Finds old elements by id: open addressing over hashes, one word per slot, in borrowed memory.
@usableFromInline
struct LinkTable<Element> {
  @usableFromInline let old: UnsafeBufferPointer<Element>
  /// Zero is free; else half of the hash above the offset plus one.
  @usableFromInline let slots: UnsafeMutableBufferPointer<UInt64>
  @usableFromInline let isTaken: UnsafeMutableBufferPointer<Bool>
  /// For each old element the offset plus one of the next with its id; made with the first duplicate.
  @usableFromInline var followers: [UInt32] = []
  @usableFromInline let seed = Identity.seed

  /// Slots for `count` elements.
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

  /// Elements are inserted from last to first, so that the first with an id is found first.
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

  /// The first free old element with the id of a new one; -1 if there is none.
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

  /// The slot of an id, or the free one where it belongs.
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
