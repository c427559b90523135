/// A validated change without its items: where everything goes, comes and moves.
///
/// Old places belong to `oldCounts`, new ones to `newCounts`. A section that goes takes its items with it and
/// one that comes brings all its own, so neither is named item by item.
public struct PathChanges: Sendable, Equatable {
  /// Everything is new: no place leads anywhere.
  public let isReload: Bool
  /// Items per section before the change.
  public let oldCounts: [Int]
  /// Items per section after the change.
  public let newCounts: [Int]
  /// Items that go, by old places.
  public private(set) var deletions: [ItemPlace] = []
  /// Items that come, by new places.
  public private(set) var insertions: [ItemPlace] = []
  /// Items that stay themselves and change their place, ascending by where they go.
  public private(set) var movedItems: [ItemMove] = []
  /// Items that stay themselves and have a new form, with their old and new places; some may move too.
  public private(set) var reloads: [ItemMove] = []
  /// Sections that go, by old indices.
  public private(set) var sectionDeletions: [SectionPlace] = []
  /// Sections that come, by new indices.
  public private(set) var sectionInsertions: [SectionPlace] = []
  /// Sections that keep their items and change their place, ascending by where they go.
  public private(set) var movedSections: [SectionMove] = []
  /// Sections that stay themselves and get all their items anew.
  public private(set) var sectionReloads: [SectionMove] = []
  /// Where sections are; reloaded ones stay.
  public private(set) var sectionMap: IndexMap
  /// For each old section, where its items are within the section that it became; a deleted section maps
  /// nothing.
  public private(set) var itemMaps: [IndexMap]

  private let strays: StrayMoves

  /// A change of everything.
  init(reloading oldCounts: [Int], newCounts: [Int]) {
    isReload = true
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    sectionMap = .empty
    itemMaps = oldCounts.map { _ in .empty }
    strays = StrayMoves([])
  }

  /// What a valid batch comes to.
  init(_ resolution: Resolution) {
    self.init(
      resolution.parts, oldCounts: resolution.oldCounts, newCounts: resolution.newCounts,
      sectionMap: resolution.sectionMap, itemMaps: resolution.itemMaps)
  }

  /// Valid parts and the maps that follow from them.
  init(_ parts: Parts, oldCounts: [Int], newCounts: [Int]) {
    let map = IndexMap(
      oldCount: oldCounts.count, deleted: parts.sectionDeletions.map(\.section),
      inserted: parts.sectionInsertions.map(\.section), moved: parts.sectionMoves.map { ($0.from, $0.to) })
    self.init(
      parts, oldCounts: oldCounts, newCounts: newCounts, sectionMap: map,
      itemMaps: parts.itemMaps(oldCounts: oldCounts, sectionMap: map))
  }

  private init(
    _ parts: Parts, oldCounts: [Int], newCounts: [Int], sectionMap: IndexMap, itemMaps: [IndexMap]
  ) {
    isReload = false
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    deletions = parts.deletions.sorted { $0.path < $1.path }
    insertions = parts.insertions.sorted { $0.path < $1.path }
    movedItems = parts.moves.sorted { $0.to < $1.to }
    reloads = parts.reloads.sorted { $0.to < $1.to }
    sectionDeletions = parts.sectionDeletions.sorted { $0.section < $1.section }
    sectionInsertions = parts.sectionInsertions.sorted { $0.section < $1.section }
    movedSections = parts.sectionMoves.sorted { $0.to < $1.to }
    sectionReloads = parts.sectionReloads.sorted { $0.to < $1.to }
    self.sectionMap = sectionMap
    self.itemMaps = itemMaps
    strays = StrayMoves(parts.moves.filter { sectionMap.new($0.from.section) != $0.to.section })
  }

  /// Whether it changes nothing.
  public var isEmpty: Bool {
    !isReload && deletions.isEmpty && insertions.isEmpty && movedItems.isEmpty && reloads.isEmpty
      && sectionDeletions.isEmpty && sectionInsertions.isEmpty && movedSections.isEmpty
      && sectionReloads.isEmpty
  }

  /// Where an old item is now; nil when it was deleted.
  public func newPath(of old: ItemPath) -> ItemPath? {
    if let path = strays.targets[old] { return path }
    guard itemMaps.indices.contains(old.section), let section = sectionMap.new(old.section) else {
      return nil
    }
    return itemMaps[old.section].new(old.item).map { ItemPath(section: section, item: $0) }
  }

  /// Where a new item was before; nil when it was inserted.
  public func oldPath(of new: ItemPath) -> ItemPath? {
    if let path = strays.sources[new] { return path }
    guard let section = sectionMap.old(new.section), itemMaps.indices.contains(section) else { return nil }
    return itemMaps[section].old(new.item).map { ItemPath(section: section, item: $0) }
  }
}

/// Moves from one section to another, which the maps of sections don't know.
private struct StrayMoves: Sendable, Equatable {
  let targets: [ItemPath: ItemPath]
  let sources: [ItemPath: ItemPath]

  init(_ moves: [ItemMove]) {
    targets = Dictionary(uniqueKeysWithValues: moves.map { ($0.from, $0.to) })
    sources = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, $0.from) })
  }
}
