/// A validated change without its items: what is deleted, inserted and moved.
///
/// Old places belong to `oldCounts`, new ones to `newCounts`. Items of deleted and inserted sections are not listed one
/// by one.
public struct PathChanges: Sendable, Equatable {
  /// Everything is new: no old place maps to a new one.
  public let isReload: Bool
  /// Items per section before the change.
  public let oldCounts: [Int]
  /// Items per section after the change.
  public let newCounts: [Int]
  /// Deleted items, by old places.
  public private(set) var deletions: [ItemPlace] = []
  /// Inserted items, by new places.
  public private(set) var insertions: [ItemPlace] = []
  /// Moved items, ascending by new place.
  public private(set) var movedItems: [ItemMove] = []
  /// Items with new content, with old and new places; some may move too.
  public private(set) var reloads: [ItemMove] = []
  /// Deleted sections, by old indices.
  public private(set) var sectionDeletions: [SectionPlace] = []
  /// Inserted sections, by new indices.
  public private(set) var sectionInsertions: [SectionPlace] = []
  /// Sections moved with their items, ascending by new index.
  public private(set) var movedSections: [SectionMove] = []
  /// Sections that keep their identity and get all items anew.
  public private(set) var sectionReloads: [SectionMove] = []
  /// Maps old to new section indices; reloaded sections are mapped.
  public private(set) var sectionMap: IndexMap
  /// For each old section, maps its items within the section it became; a deleted section maps nothing.
  public private(set) var itemMaps: [IndexMap]

  private let strays: StrayMoves

  /// A reload of everything.
  public init(reloading oldCounts: [Int], newCounts: [Int]) {
    isReload = true
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    sectionMap = .empty
    itemMaps = oldCounts.map { _ in .empty }
    strays = StrayMoves([])
  }

  /// Validated parts; the maps are derived.
  init(_ parts: Parts, oldCounts: [Int], newCounts: [Int]) {
    let map = IndexMap(
      oldCount: oldCounts.count, deleted: parts.sectionDeletions.map(\.section),
      inserted: parts.sectionInsertions.map(\.section), moved: parts.sectionMoves.map { ($0.from, $0.to) })
    self.init(
      parts, oldCounts: oldCounts, newCounts: newCounts, sectionMap: map,
      itemMaps: parts.itemMaps(oldCounts: oldCounts, sectionMap: map))
  }

  /// Validated parts and their maps.
  public init(
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

  /// The new place of an old item; nil if it was deleted.
  public func newPath(of old: ItemPath) -> ItemPath? {
    if let path = strays.targets[old] { return path }
    guard itemMaps.indices.contains(old.section), let section = sectionMap.new(old.section) else {
      return nil
    }
    return itemMaps[old.section].new(old.item).map { ItemPath(section: section, item: $0) }
  }

  /// The old place of a new item; nil if it was inserted.
  public func oldPath(of new: ItemPath) -> ItemPath? {
    if let path = strays.sources[new] { return path }
    guard let section = sectionMap.old(new.section), itemMaps.indices.contains(section) else { return nil }
    return itemMaps[section].old(new.item).map { ItemPath(section: section, item: $0) }
  }

  /// Turns the old elements into the new ones; `element` returns inserted and reloaded ones by new place.
  ///
  /// The sections must be those the change was made for. Elements of whole new sections are requested in order, before
  /// those of reloaded items.
  public func apply<Element>(to sections: inout [[Element]], element: (ItemPath) -> Element) {
    let counts = sections.map(\.count)
    precondition(counts == oldCounts, "a change of \(oldCounts) items applied to \(counts)")
    guard !isReload else {
      sections = newCounts.indices.map { section in
        (0..<newCounts[section]).map { element(ItemPath(section: section, item: $0)) }
      }
      return
    }
    arrangement.apply(to: &sections) { run, path in
      (path.item..<path.item + run.range.count).map { element(ItemPath(section: path.section, item: $0)) }
    }
    for reload in reloads { sections[reload.to.section][reload.to.item] = element(reload.to) }
  }

  /// The same change with its items; `item` returns inserted and reloaded ones by new place.
  public func changeSet(item: (ItemPath) -> Item) -> ChangeSet {
    func items(_ section: Int, _ range: Range<Int>) -> [Item] {
      range.map { item(ItemPath(section: section, item: $0)) }
    }
    func whole(_ section: Int, _ animation: Int) -> ChangeSet.SectionInsertion {
      ChangeSet.SectionInsertion(
        section: section, items: items(section, 0..<newCounts[section]), animation: animation)
    }
    var changes = ChangeSet()
    changes.isReload = isReload
    guard !isReload else {
      changes.sectionInsertions = newCounts.indices.map { whole($0, 0) }
      return changes
    }
    changes.removals = removals
    changes.sectionRemovals = sectionDeletions
    changes.sectionMoves = movedSections
    changes.sectionInsertions = sectionInsertions.map { whole($0.section, $0.animation) }
    changes.moves = movedItems
    for run in PathChanges.runs(of: insertions) {
      let range = run.path.item..<run.path.item + run.count
      changes.insert(items(run.path.section, range), at: run.path, animation: run.animation)
    }
    for reload in sectionReloads {
      let path = ItemPath(section: reload.to, item: 0)
      changes.insert(items(reload.to, 0..<newCounts[reload.to]), at: path, animation: reload.animation)
    }
    changes.updates = reloads.map {
      ChangeSet.Update(path: $0.to, item: item($0.to), animation: $0.animation)
    }
    return changes
  }

  /// This change followed by a later one, as one, for a reader that was busy.
  ///
  /// Items inserted and deleted again leave no trace, and the number of moves is minimal.
  public func merged(with later: PathChanges) -> PathChanges {
    precondition(newCounts == later.oldCounts, "\(later.oldCounts) items after a change to \(newCounts)")
    guard !isReload, !later.isReload else {
      return PathChanges(reloading: oldCounts, newCounts: later.newCounts)
    }
    let first = arrangement
    let second = later.arrangement
    var parts = Parts(first.followed(by: second, lotCount: lotCount))
    let (gone, new) = (parts.goneSections, parts.newSections)
    parts.reloads = survivingReloads(first, later, second).filter {
      !gone.contains($0.from.section) && !new.contains($0.to.section)
    }
    return PathChanges(parts, oldCounts: oldCounts, newCounts: later.newCounts)
  }

  /// Where every item comes from; reloaded sections count as fresh, their old items as removed.
  var arrangement: Arrangement {
    var lots = PathChanges.runs(of: insertions).map {
      Blueprint.Lot(path: $0.path, count: $0.count, animation: $0.animation)
    }
    let sections = sectionInsertions.map {
      Blueprint.Lot(
        path: ItemPath(section: $0.section, item: 0), count: newCounts[$0.section], animation: $0.animation)
    }
    for reload in sectionReloads {
      let path = ItemPath(section: reload.to, item: 0)
      lots.append(Blueprint.Lot(path: path, count: newCounts[reload.to], animation: reload.animation))
    }
    let blueprint = Blueprint(
      counts: oldCounts, removals: removals, sectionRemovals: sectionDeletions, sectionMoves: movedSections,
      sectionInsertions: sections, moves: movedItems, insertions: lots)
    do {
      var arrangement = try Arrangement(blueprint)
      for reload in sectionReloads { arrangement.sections[reload.to].isReloaded = true }
      return arrangement
    } catch {
      preconditionFailure("a validated change does not fit \(oldCounts): \(error)")
    }
  }

  /// Number of lots of fresh items in the arrangement.
  var lotCount: Int { insertions.count + sectionInsertions.count + sectionReloads.count }

  /// Runs of removed items, including those of reloaded sections.
  var removals: [ChangeSet.Removal] {
    PathChanges.runs(of: deletions).map {
      let start = $0.path.item
      return ChangeSet.Removal(
        section: $0.path.section, range: start..<start + $0.count, animation: $0.animation)
    }
      + sectionReloads.filter { oldCounts[$0.from] > 0 }.map {
        ChangeSet.Removal(section: $0.from, range: 0..<oldCounts[$0.from], animation: $0.animation)
      }
  }

  /// Adjacent places with the same animation option as runs; the places are ascending.
  static func runs(of places: [ItemPlace]) -> [(path: ItemPath, count: Int, animation: Int)] {
    var runs: [(path: ItemPath, count: Int, animation: Int)] = []
    for place in places {
      if let last = runs.last, last.animation == place.animation, last.path.section == place.path.section,
        last.path.item + last.count == place.path.item
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((place.path, 1, place.animation))
      }
    }
    return runs
  }

  /// Reloads of both changes, from the places before the first to those after the second; an item inserted in between
  /// is new anyway.
  private func survivingReloads(
    _ first: Arrangement, _ later: PathChanges, _ second: Arrangement
  ) -> [ItemMove] {
    guard !reloads.isEmpty || !later.reloads.isEmpty else { return [] }
    let tracker = PathTracker(second, sectionCount: newCounts.count)
    var result: [ItemPath: ItemMove] = [:]
    for reload in reloads {
      guard let path = tracker.path(of: reload.to) else { continue }
      result[path] = ItemMove(from: reload.from, to: path, animation: reload.animation)
    }
    let indices = Dictionary(
      uniqueKeysWithValues: Set(later.reloads.map(\.from.section)).map {
        ($0, RunIndex(first.sections[$0].runs))
      })
    for reload in later.reloads {
      let middle = reload.from
      guard let run = indices[middle.section]?.slice(middle.item..<middle.item + 1).first,
        case .old(let section) = run.source
      else { continue }
      let from = ItemPath(section: section, item: run.range.lowerBound)
      result[reload.to] = ItemMove(from: from, to: reload.to, animation: reload.animation)
    }
    return Array(result.values)
  }
}

/// Moves between sections, which the item maps don't contain.
private struct StrayMoves: Sendable, Equatable {
  let targets: [ItemPath: ItemPath]
  let sources: [ItemPath: ItemPath]

  init(_ moves: [ItemMove]) {
    targets = Dictionary(uniqueKeysWithValues: moves.map { ($0.from, $0.to) })
    sources = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, $0.from) })
  }
}

extension PathChanges {
  /// The operations of a change by kind, in any order.
  public struct Parts: Sendable {
    /// Deleted sections, by old indices.
    public var sectionDeletions: [SectionPlace]
    /// Inserted sections, by new indices.
    public var sectionInsertions: [SectionPlace]
    /// Sections moved with their items.
    public var sectionMoves: [SectionMove]
    /// Sections that get all items anew.
    public var sectionReloads: [SectionMove] = []
    /// Deleted items, by old places.
    public var deletions: [ItemPlace]
    /// Inserted items, by new places.
    public var insertions: [ItemPlace]
    /// Moved items.
    public var moves: [ItemMove]
    /// Items with new content.
    public var reloads: [ItemMove]

    public init(
      sectionDeletions: [SectionPlace] = [], sectionInsertions: [SectionPlace] = [],
      sectionMoves: [SectionMove] = [], deletions: [ItemPlace] = [], insertions: [ItemPlace] = [],
      moves: [ItemMove] = [], reloads: [ItemMove] = []
    ) {
      self.sectionDeletions = sectionDeletions
      self.sectionInsertions = sectionInsertions
      self.sectionMoves = sectionMoves
      self.deletions = deletions
      self.insertions = insertions
      self.moves = moves
      self.reloads = reloads
    }
  }
}

extension PathChanges.Parts {
  /// For each old section, maps its items within the section it becomes (Texture 2.4).
  public func itemMaps(oldCounts: [Int], sectionMap: IndexMap) -> [IndexMap] {
    var deleted: [Int: [Int]] = [:]
    var inserted: [Int: [Int]] = [:]
    var moved: [Int: [(from: Int, to: Int)]] = [:]
    for place in deletions { deleted[place.path.section, default: []].append(place.path.item) }
    for place in insertions { inserted[place.path.section, default: []].append(place.path.item) }
    for move in moves {
      if sectionMap.new(move.from.section) == move.to.section {
        moved[move.from.section, default: []].append((move.from.item, move.to.item))
      } else {
        deleted[move.from.section, default: []].append(move.from.item)
        inserted[move.to.section, default: []].append(move.to.item)
      }
    }
    return oldCounts.indices.map { section in
      guard let new = sectionMap.new(section) else { return .empty }
      return IndexMap(
        oldCount: oldCounts[section], deleted: deleted[section] ?? [], inserted: inserted[new] ?? [],
        moved: moved[section] ?? [])
    }
  }

  /// Derives the operations from an arrangement.
  ///
  /// Items move only between sections that stay; otherwise a move counts as an insertion or a deletion.
  init(_ arrangement: Arrangement) {
    self.init()
    sectionDeletions = arrangement.sectionRemovals
    sectionMoves = arrangement.sectionMoves
    for (index, section) in arrangement.sections.enumerated() {
      if section.origin == nil {
        sectionInsertions.append(SectionPlace(index, animation: section.animation))
      } else if let origin = section.origin, section.isReloaded {
        sectionReloads.append(SectionMove(from: origin, to: index, animation: section.animation))
      }
    }
    let gone = goneSections
    for removal in arrangement.removals where !gone.contains(removal.section) {
      delete(removal.range, removal.section, removal.animation)
    }
    for (index, section) in arrangement.sections.enumerated() {
      let moved = arrangement.movedRuns(ofSection: index).filter { !gone.contains($0.from) }
      if section.origin == nil || section.isReloaded {
        for (from, placed) in moved { delete(placed.run.range, from, placed.run.animation) }
      } else {
        moves += moved.flatMap { $0.placed.moves(from: $0.from) }
        for placed in arrangement.placedRuns(ofSection: index) where !stays(placed.run, gone) {
          insert(placed)
        }
      }
    }
  }

  /// Old sections that are deleted or reloaded.
  var goneSections: Set<Int> { Set(sectionDeletions.map(\.section) + sectionReloads.map(\.from)) }

  /// New sections that are inserted or reloaded.
  var newSections: Set<Int> { Set(sectionInsertions.map(\.section) + sectionReloads.map(\.to)) }

  private func stays(_ run: Arrangement.Run, _ gone: Set<Int>) -> Bool {
    if case .old(let section) = run.source { !gone.contains(section) } else { false }
  }

  private mutating func delete(_ range: Range<Int>, _ section: Int, _ animation: Int) {
    deletions += range.map { ItemPlace(ItemPath(section: section, item: $0), animation: animation) }
  }

  private mutating func insert(_ placed: Arrangement.PlacedRun) {
    insertions += placed.run.range.indices.map {
      let item = placed.path.item + $0 - placed.run.range.lowerBound
      return ItemPlace(
        ItemPath(section: placed.path.section, item: item), animation: placed.run.animation)
    }
  }
}
