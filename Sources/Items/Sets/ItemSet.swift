/// Ordered items in sections, unique by id within each; paging fills the first section.
///
/// The front of a section may be released: the items are freed, while their ids keep their places and are still
/// recognised. Strings are compared byte by byte. Appending is amortised O(1) per item.
///
/// ```swift
/// var items = ItemSet()
/// let result = items.append([item], merge: .replace)
/// result.changeSet  // what a reader applies
/// ```
public struct ItemSet: Sendable {
  private var sections: [Section]

  /// An empty set with `sectionCount` sections.
  public init(sectionCount: Int = 1) {
    precondition(sectionCount > 0, "an item set of \(sectionCount) sections")
    sections = Array(repeating: Section(), count: sectionCount)
  }

  /// Number of sections, including empty ones.
  public var sectionCount: Int { sections.count }

  /// Items of all sections, including released ones.
  public var count: Int { sections.count == 1 ? sections[0].count : sections.reduce(0) { $0 + $1.count } }

  /// Whether all sections are empty.
  public var isEmpty: Bool { sections.allSatisfy { $0.count == 0 } }

  /// Items of one section, including released ones.
  public func count(ofSection section: Int = 0) -> Int { sections[section].count }

  /// Released items at the front of a section.
  public func releasedCount(ofSection section: Int = 0) -> Int { sections[section].released }

  /// The item at a place; nil if there is none or it was released.
  public subscript(path: ItemPath) -> Item? {
    guard sections.indices.contains(path.section) else { return nil }
    return sections[path.section].item(at: path.item)
  }

  /// The item at an index of the first section; nil if there is none or it was released.
  public subscript(index: Int) -> Item? { sections[0].item(at: index) }

  /// The items of a section, without released ones.
  public func items(ofSection section: Int = 0) -> [Item] { sections[section].heldItems }

  /// The place of an id, released or not; nil where it was given up.
  public func path(of id: ItemID) -> ItemPath? {
    for (number, section) in sections.enumerated() {
      if let index = section.index(of: id) { return ItemPath(section: number, item: index) }
    }
    return nil
  }

  /// Whether an id is in the set, released or not.
  public func contains(_ id: ItemID) -> Bool {
    path(of: id) != nil || sections.contains { $0.hasPassed(id) }
  }

  /// Appends items; those whose id is already in the section are merged.
  public mutating func append(_ items: [Item], toSection section: Int = 0, merge: Merge = .keep)
    -> MergeResult
  {
    var result = MergeResult()
    result.path = ItemPath(section: section, item: sections[section].count)
    let (new, known) = sections[section].append(items)
    result.inserted = new
    for (item, position) in known {
      guard let position else {
        result.duplicates += 1
        result.repeated.append(item)
        continue
      }
      place(item, held: position, in: section, merge: merge, into: &result)
    }
    return result
  }

  /// Prepends items, in their order; those whose id is already in the section are merged.
  ///
  /// If the front was released, new items count as released too.
  public mutating func prepend(_ items: [Item], toSection section: Int = 0, merge: Merge = .keep)
    -> MergeResult
  {
    var result = MergeResult()
    result.path = ItemPath(section: section, item: 0)
    let base = sections[section].start - items.count
    for item in items {
      if sections[section].hasPassed(item.id) {
        result.duplicates += 1
        result.repeated.append(item)
        continue
      }
      let held = sections[section].register(item.id, at: base + result.inserted.count)
      if let held, held < sections[section].start {
        result.duplicates += 1
        if merge == .replace { result.inserted[held - base] = item }
      } else {
        place(item, held: held, in: section, merge: merge, into: &result)
      }
    }
    sections[section].prepend(result.inserted, reserved: items.count)
    for index in result.updated.indices {
      result.updated[index].path = path(of: result.updated[index].item.id) ?? result.updated[index].path
    }
    return result
  }

  /// Removes items and their ids; takes time proportional to the whole section.
  public mutating func remove(_ range: Range<Int>, fromSection section: Int = 0) {
    sections[section].remove(range)
  }

  /// Frees the items before an index and keeps their ids.
  ///
  /// Without their places ids take up less: eight bytes for an integer that does not count up and nine for a text, of which
  /// hashes are kept (`PassedIDs` says how seldom two are taken for one); where they are many and there is a room for them, they
  /// are put into it. Then an item that comes again is a duplicate which replaces nothing, and removing a range leaves its ids
  /// known.
  public mutating func release(
    before index: Int, inSection section: Int = 0, keepsPlaces: Bool = true,
    spillingInto room: (any SpillRoom)? = nil
  ) {
    sections[section].release(before: index, keepsPlaces: keepsPlaces, spillingInto: room)
  }

  /// Edits the first section.
  ///
  /// Released items keep their places and count as unknown; the id of one that is removed is forgotten, so that it may come
  /// again. Replacing takes time proportional to the edit; inserts,
  /// removals and moves other than at the end also take a pass over the held ids.
  public mutating func edit(_ edit: Edit) -> EditResult {
    switch edit {
    case .insert(let items, let placement): sections[0].insert(items, placement)
    case .remove(let ids): sections[0].remove(ids)
    case .replace(let items): sections[0].replace(items)
    case .move(let ids, let placement): sections[0].move(ids, placement)
    }
  }

  /// The change set that turns an older item set into this one; sections are matched by index.
  ///
  /// If items were released on either side, or with more than `limit` changes, it is a reload with the held items.
  public func difference(from old: ItemSet, limit: Int? = nil) -> ChangeSet {
    let isWhole = [self, old].allSatisfy { set in
      (0..<set.sectionCount).allSatisfy { set.releasedCount(ofSection: $0) == 0 }
    }
    let new = listSections
    let changes =
      isWhole
      ? new.difference(
        from: old.listSections, id: { $0.id }, isContentEqual: { $0.bytes == $1.bytes }, limit: limit)
      : PathChanges(
        reloading: old.listSections.map(\.elements.count), newCounts: new.map(\.elements.count))
    return changes.changeSet { new[$0.section].elements[$0.item] }
  }

  /// Counts an item as new, or merges it with the one at its position.
  private mutating func place(
    _ item: Item, held: Int?, in section: Int, merge: Merge, into result: inout MergeResult
  ) {
    guard let held else {
      result.inserted.append(item)
      return
    }
    result.duplicates += 1
    let path = ItemPath(section: section, item: held - sections[section].start)
    if merge == .replace, sections[section].replace(at: path.item, with: item) {
      result.updated.append(ChangeSet.Update(path: path, item: item))
    } else {
      result.repeated.append(item)
    }
  }

  private var listSections: [ListSection<Int, Item>] {
    (0..<sectionCount).map { ListSection(id: $0, elements: items(ofSection: $0)) }
  }
}
