/// A table from item ids to positions: about 32 bytes per id, plus the text of string ids. Integers that count up with their
/// positions, as most sources number their items, take no space.
///
/// Open addressing with linear probing; keys live in one array, texts in one arena.
struct IDTable: Sendable {
  /// Ids that count up with their positions.
  private struct Run: Sendable {
    var first: Int64
    var position: Int
    var count: Int

    /// The position of an id that is in the run.
    func position(of id: ItemID) -> Int? {
      guard case .integer(let value) = id else { return nil }
      let (distance, overflows) = value.subtractingReportingOverflow(first)
      return !overflows && 0 <= distance && distance < count ? position + Int(distance) : nil
    }

    /// Takes an id in at one of its ends; false if it does not go on there.
    mutating func extend(_ id: ItemID, _ place: Int) -> Bool {
      guard case .integer(let value) = id else { return false }
      if place == position + count, value == first &+ Int64(count), value > first {
        count += 1
        return true
      }
      guard place == position - 1, first > .min, value == first - 1 else { return false }
      (first, position, count) = (value, place, count + 1)
      return true
    }

    /// Its ids with their positions, in order.
    var ids: [(id: ItemID, position: Int)] {
      (0..<count).map { (.integer(first + Int64($0)), position + $0) }
    }
  }

  private struct Entry: Sendable {
    /// The integer, or the start of the text in the arena.
    var key: Int64
    var position: Int32
    /// -1 for an integer, else the length of the text in bytes.
    var length: Int32
  }

  private var run: Run?
  /// All other ids.
  private var entries: [Entry] = []
  private var arena: [UInt8] = []
  /// Arena bytes of removed ids.
  private var waste = 0
  /// Zero is free; else half of the hash, which tells most ids apart without a lookup, above the index in `entries`
  /// plus one.
  private var slots: [UInt64] = []

  private static let leastSlots = 16

  /// The position stored for an id.
  func position(of id: ItemID) -> Int? {
    if let position = run?.position(of: id) { return position }
    if entries.isEmpty { return nil }
    let slot = slots[find(id, hash(id))]
    return slot == 0 ? nil : Int(entry(at: slot).position)
  }

  /// Stores a position for a new id, or returns the existing one.
  mutating func insert(_ id: ItemID, position: Int) -> Int? {
    if let known = run?.position(of: id) { return known }
    if entries.isEmpty, run(on: id, position) { return nil }
    if (entries.count + 1) * 4 > slots.count * 3 { grow(to: max(Self.leastSlots, slots.count * 2)) }
    let hash = hash(id)
    let place = find(id, hash)
    if slots[place] != 0 { return Int(entry(at: slots[place]).position) }
    if !run(on: id, position) { enter(id, position, hash, at: place) }
    return nil
  }

  /// Stores a position for a new id in its free slot.
  private mutating func enter(_ id: ItemID, _ position: Int, _ hash: UInt32, at place: Int) {
    switch id {
    case .integer(let value): entries.append(Entry(key: value, position: Int32(position), length: -1))
    case .text(var text):
      let start = arena.count
      text.withUTF8 { arena.append(contentsOf: $0) }
      entries.append(
        Entry(key: Int64(start), position: Int32(position), length: Int32(arena.count - start)))
    }
    slots[place] = UInt64(hash) << 32 | UInt64(entries.count)
  }

  /// Takes in new ids that all go on with the run; false if any does not, or if there are others.
  mutating func append(_ items: [Item], at position: Int) -> Bool {
    guard entries.isEmpty, var run, position == run.position + run.count else { return false }
    let next = run.first.addingReportingOverflow(Int64(run.count))
    guard !next.overflow, next.partialValue <= .max - Int64(items.count) else { return false }
    for (item, id) in zip(items, next.partialValue...) where item.id != .integer(id) { return false }
    run.count += items.count
    self.run = run
    return true
  }

  /// Begins the run with a new id or takes it in; false if it does not go on there.
  private mutating func run(on id: ItemID, _ position: Int) -> Bool {
    if run != nil { return run?.extend(id, position) ?? false }
    guard case .integer(let value) = id else { return false }
    run = Run(first: value, position: position, count: 1)
    return true
  }

  /// Gives the ids of the run entries of their own.
  private mutating func dissolveRun() {
    guard let ids = run?.ids else { return }
    run = nil
    reserve(ids.count)
    for (id, position) in ids {
      let hash = hash(id)
      enter(id, position, hash, at: find(id, hash))
    }
  }

  /// Makes room for that many new ids.
  mutating func reserve(_ count: Int) {
    // A run is expected to go on.
    if run != nil, entries.isEmpty { return }
    var size = max(Self.leastSlots, slots.count)
    while (entries.count + count) * 4 > size * 3 { size *= 2 }
    if size > slots.count { grow(to: size) }
  }

  /// Removes the ids whose position is gone; costs as much as rebuilding the table.
  mutating func removeAll(where isGone: (_ position: Int) -> Bool) {
    var kept = IDTable()
    for (id, position) in run?.ids ?? [] where !isGone(position) { _ = kept.insert(id, position: position) }
    for entry in entries where !isGone(Int(entry.position)) {
      _ = kept.insert(id(of: entry), position: Int(entry.position))
    }
    self = kept
  }

  /// Removes one id.
  mutating func remove(_ id: ItemID) {
    if run?.position(of: id) != nil { dissolveRun() }
    if entries.isEmpty { return }
    let place = find(id, hash(id))
    guard slots[place] != 0 else { return }
    let index = Int(slots[place] & 0xFFFF_FFFF) - 1
    free(place)
    waste += Int(max(0, entries[index].length))
    let last = entries.count - 1
    if index < last {
      let moved = slot(ofEntry: last)
      slots[moved] = slots[moved] & ~0xFFFF_FFFF | UInt64(index + 1)
      entries[index] = entries[last]
    }
    entries.removeLast()
    if waste > 4096, waste * 2 > arena.count { packTexts() }
  }

  /// Renumbers each id.
  mutating func renumber(_ number: (_ position: Int) -> Int) {
    dissolveRun()
    for index in entries.indices { entries[index].position = Int32(number(Int(entries[index].position))) }
  }

  /// Adds `distance` to the positions for which `isMoved` holds.
  mutating func shift(by distance: Int, where isMoved: (_ position: Int) -> Bool) {
    dissolveRun()
    for index in entries.indices where isMoved(Int(entries[index].position)) {
      entries[index].position += Int32(distance)
    }
  }

  /// Ids other than those that count up; only they take space.
  var entryCount: Int { entries.count }

  /// Takes out the ids before a position, other than those that count up; costs as much as rebuilding the table.
  mutating func pass(before position: Int, into passed: inout PassedIDs) {
    var kept = IDTable()
    kept.run = run
    for entry in entries {
      if entry.position >= position {
        _ = kept.insert(id(of: entry), position: Int(entry.position))
      } else if entry.length < 0 {
        passed.insert(entry.key)
      } else {
        arena.withUnsafeBytes { arena in
          passed.insert(UnsafeRawBufferPointer(rebasing: arena[Int(entry.key)...].prefix(Int(entry.length))))
        }
      }
    }
    self = kept
  }

  private func entry(at slot: UInt64) -> Entry { entries[Int(slot & 0xFFFF_FFFF) - 1] }

  private func id(of entry: Entry) -> ItemID {
    guard entry.length >= 0 else { return .integer(entry.key) }
    let start = Int(entry.key)
    return .text(String(decoding: arena[start..<start + Int(entry.length)], as: UTF8.self))
  }

  /// The slot of an id, or the free one where it belongs.
  private func find(_ id: ItemID, _ hash: UInt32) -> Int {
    slots.withUnsafeBufferPointer { slots in
      let mask = slots.count - 1
      var place = Int(hash) & mask
      while slots[place] != 0, !holds(slots[place], id, hash) { place = (place + 1) & mask }
      return place
    }
  }

  /// Frees a slot; displaced entries behind it move up (Knuth's algorithm R).
  private mutating func free(_ place: Int) {
    let mask = slots.count - 1
    var hole = place
    var next = (hole + 1) & mask
    while slots[next] != 0 {
      let home = Int(slots[next] >> 32) & mask
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = 0
  }

  private func slot(ofEntry index: Int) -> Int {
    let mask = slots.count - 1
    var place = Int(hash(id(of: entries[index]))) & mask
    while slots[place] & 0xFFFF_FFFF != UInt64(index + 1) { place = (place + 1) & mask }
    return place
  }

  /// Drops the text of removed ids.
  private mutating func packTexts() {
    var packed: [UInt8] = []
    packed.reserveCapacity(arena.count - waste)
    for index in entries.indices where entries[index].length >= 0 {
      let start = Int(entries[index].key)
      entries[index].key = Int64(packed.count)
      packed += arena[start..<start + Int(entries[index].length)]
    }
    arena = packed
    waste = 0
  }

  private func holds(_ slot: UInt64, _ id: ItemID, _ hash: UInt32) -> Bool {
    guard slot >> 32 == UInt64(hash) else { return false }
    let entry = entry(at: slot)
    switch id {
    case .integer(let value): return entry.length < 0 && entry.key == value
    case .text(let text):
      guard Int(entry.length) == text.utf8.count else { return false }
      let start = Int(entry.key)
      return arena[start..<start + Int(entry.length)].elementsEqual(text.utf8)
    }
  }

  private mutating func grow(to size: Int) {
    var grown: [UInt64] = Array(repeating: 0, count: size)
    let mask = size - 1
    grown.withUnsafeMutableBufferPointer { grown in
      for slot in slots where slot != 0 {
        var place = Int(slot >> 32) & mask
        while grown[place] != 0 { place = (place + 1) & mask }
        grown[place] = slot
      }
    }
    slots = grown
  }

  /// Nobody outside can know which ids collide: texts and integers are hashed with numbers that each process draws.
  private func hash(_ id: ItemID) -> UInt32 {
    switch id {
    case .integer(let value):
      let (high, low) = (UInt64(bitPattern: value) ^ Self.salt.mask).multipliedFullWidth(by: Self.salt.factor)
      return UInt32(truncatingIfNeeded: high ^ low)
    case .text(var text):
      var hasher = Hasher()
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      return UInt32(truncatingIfNeeded: hasher.finalize())
    }
  }

  private static let salt = (
    mask: UInt64(truncatingIfNeeded: 1.hashValue), factor: UInt64(truncatingIfNeeded: 2.hashValue) | 1
  )
}
