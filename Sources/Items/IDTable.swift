/// A table from item ids to numbers: about 24 bytes per id, and the text of those that are texts.
///
/// Open addressing with linear probing over 4-byte slots; keys live in one array, texts in one arena.
struct IDTable: Sendable {
  struct Entry: Sendable {
    /// The integer, or where the text starts in the arena.
    var key: Int64
    var position: Int32
    /// -1 for an integer, else the length of the text in bytes.
    var length: Int32
  }

  private var entries: [Entry] = []
  private var arena: [UInt8] = []
  /// Zero is free, else an index into `entries` plus one.
  private var slots: [UInt32] = Array(repeating: 0, count: 16)

  var count: Int { entries.count }

  /// The number stored for an id.
  func position(of id: ItemID) -> Int? {
    let slot = slots[find(id)]
    return slot == 0 ? nil : Int(entries[Int(slot) - 1].position)
  }

  /// Stores a number for an id that is new, or returns the one that is there.
  mutating func insert(_ id: ItemID, position: Int) -> Int? {
    if (entries.count + 1) * 4 > slots.count * 3 { grow() }
    let place = find(id)
    if slots[place] != 0 { return Int(entries[Int(slots[place]) - 1].position) }
    switch id {
    case .integer(let value): entries.append(Entry(key: value, position: Int32(position), length: -1))
    case .text(let text):
      let start = arena.count
      arena.append(contentsOf: text.utf8)
      entries.append(
        Entry(key: Int64(start), position: Int32(position), length: Int32(arena.count - start)))
    }
    slots[place] = UInt32(entries.count)
    return nil
  }

  /// Forgets the ids whose number is gone; costs as much as building the table anew.
  mutating func removeAll(where isGone: (_ position: Int) -> Bool) {
    var kept = IDTable()
    for entry in entries where !isGone(Int(entry.position)) {
      _ = kept.insert(id(of: entry), position: Int(entry.position))
    }
    self = kept
  }

  /// Adds to the numbers that `isMoved` holds for.
  mutating func shift(by distance: Int, where isMoved: (_ position: Int) -> Bool) {
    for index in entries.indices where isMoved(Int(entries[index].position)) {
      entries[index].position += Int32(distance)
    }
  }

  private func id(of entry: Entry) -> ItemID {
    guard entry.length >= 0 else { return .integer(entry.key) }
    let start = Int(entry.key)
    return .text(String(decoding: arena[start..<start + Int(entry.length)], as: UTF8.self))
  }
}

extension IDTable {
  /// The slot of an id, or the free one where it belongs.
  private func find(_ id: ItemID) -> Int {
    switch id {
    case .integer(let value):
      return probe(hash(value)) { $0.length < 0 && $0.key == value }
    case .text(var text):
      return text.withUTF8 { bytes in
        probe(hash(UnsafeRawBufferPointer(bytes))) { entry in
          guard Int(entry.length) == bytes.count else { return false }
          let start = Int(entry.key)
          return arena[start..<start + bytes.count].elementsEqual(bytes)
        }
      }
    }
  }

  private func probe(_ hash: Int, _ isEqual: (Entry) -> Bool) -> Int {
    let mask = slots.count - 1
    var place = hash & mask
    while slots[place] != 0, !isEqual(entries[Int(slots[place]) - 1]) { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in entries.enumerated() {
      var place = hash(entry) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = UInt32(index + 1)
    }
  }

  private func hash(_ entry: Entry) -> Int {
    guard entry.length >= 0 else { return hash(entry.key) }
    let start = Int(entry.key)
    return arena.withUnsafeBytes {
      hash(UnsafeRawBufferPointer(rebasing: $0[start..<start + Int(entry.length)]))
    }
  }

  private func hash(_ value: Int64) -> Int {
    var hasher = Hasher()
    hasher.combine(value)
    return hasher.finalize()
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }
}
