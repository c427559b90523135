/// What turns one item set into the next, including the inserted items.
///
/// Applied in this order: `isReload`; removals (removed and moved items, then removed and moved sections), by old
/// indices, descending; insertions (inserted and moved sections, then inserted and moved items), by new indices,
/// ascending; updates, by new indices. The order in which parts are added does not matter.
///
/// ```swift
/// var changes = ChangeSet()
/// changes.remove(0..<2)
/// changes.insert([item], at: ItemPath(item: 0))
/// try changes.apply(to: &sections)
/// ```
public struct ChangeSet: Sendable, Equatable {
  /// All previous content is dropped: the rest applies to one empty section, or to none if sections are inserted.
  public var isReload = false
  /// Runs of removed items; they don't overlap.
  public var removals: [Removal] = []
  /// Removed sections, with all their items except those that move.
  public var sectionRemovals: [SectionPlace] = []
  /// Sections that move, with their items.
  public var sectionMoves: [SectionMove] = []
  /// Inserted sections.
  public var sectionInsertions: [SectionInsertion] = []
  /// Moves of items that stay.
  public var moves: [ItemMove] = []
  /// Runs of inserted items.
  public var insertions: [Insertion] = []
  /// Items with new content; the last update of an item wins.
  public var updates: [Update] = []

  public init() {}

  /// Whether it changes nothing.
  public var isEmpty: Bool {
    !isReload && removals.isEmpty && sectionRemovals.isEmpty && sectionMoves.isEmpty
      && sectionInsertions.isEmpty && moves.isEmpty && insertions.isEmpty && updates.isEmpty
  }

  /// All inserted items: those of new sections, then those of old ones, each in order.
  public var insertedItems: [Item] {
    if sectionInsertions.isEmpty, insertions.count == 1 { return insertions[0].items }
    return sectionInsertions.flatMap(\.items) + insertions.flatMap(\.items)
  }

  /// Adds an insertion; an empty list adds none.
  public mutating func insert(_ items: [Item], at path: ItemPath, animation: Int = 0) {
    if !items.isEmpty { insertions.append(Insertion(path: path, items: items, animation: animation)) }
  }

  /// Adds a removal; an empty range adds none.
  public mutating func remove(_ range: Range<Int>, section: Int = 0, animation: Int = 0) {
    if !range.isEmpty {
      removals.append(Removal(section: section, range: range, animation: animation))
    }
  }

  /// A run of removed items.
  public struct Removal: Sendable, Hashable {
    /// The section, before the change.
    public var section: Int
    /// Their indices before the change.
    public var range: Range<Int>
    /// The caller's animation option, passed through unchanged.
    public var animation: Int

    public init(section: Int = 0, range: Range<Int>, animation: Int = 0) {
      self.section = section
      self.range = range
      self.animation = animation
    }
  }

  /// A run of inserted items, starting at `path`.
  public struct Insertion: Sendable, Equatable {
    /// The place of the first item, after the change.
    public var path: ItemPath
    /// The items, in order.
    public var items: [Item]
    /// The caller's animation option, passed through unchanged.
    public var animation: Int

    public init(path: ItemPath, items: [Item], animation: Int = 0) {
      self.path = path
      self.items = items
      self.animation = animation
    }
  }

  /// An inserted section.
  public struct SectionInsertion: Sendable, Equatable {
    /// Its index after the change.
    public var section: Int
    /// Its own items, in order; items that move into it are placed between them.
    public var items: [Item]
    /// The caller's animation option, passed through unchanged.
    public var animation: Int

    public init(section: Int, items: [Item] = [], animation: Int = 0) {
      self.section = section
      self.items = items
      self.animation = animation
    }
  }

  /// New content of an item.
  public struct Update: Sendable, Equatable {
    /// Its place after the change.
    public var path: ItemPath
    /// The new content.
    public var item: Item
    /// The caller's animation option, passed through unchanged.
    public var animation: Int

    public init(path: ItemPath, item: Item, animation: Int = 0) {
      self.path = path
      self.item = item
      self.animation = animation
    }
  }

  /// Applies the change to sections of items; if it throws, they are unchanged.
  ///
  /// Takes time proportional to the change and to the sections it touches other than at their ends.
  public func apply(to sections: inout [[Item]]) throws(ChangeSetMismatch) {
    let counts = baseCounts(over: sections.map(\.count))
    let arrangement = try Arrangement(blueprint(counts: counts))
    try checkUpdates(arrangement.sections.map(\.count))
    if isReload || sections.count != counts.count { sections = counts.map { _ in [] } }
    let lots = lots
    arrangement.apply(to: &sections) { run, _ in
      guard case .fresh(let number) = run.source else { return [] }
      return run.range.count == lots[number].count ? lots[number] : Array(lots[number][run.range])
    }
    for update in updates { sections[update.path.section][update.path.item] = update.item }
  }

  /// Items per section that the change starts from.
  func baseCounts(over counts: [Int]) -> [Int] {
    let isBare = isReload || (counts.isEmpty && !insertions.isEmpty)
    return isBare ? (sectionInsertions.isEmpty ? [0] : []) : counts
  }

  /// Its parts without the items.
  func blueprint(counts: [Int]) -> Blueprint {
    Blueprint(
      counts: counts, removals: removals, sectionRemovals: sectionRemovals, sectionMoves: sectionMoves,
      sectionInsertions: sectionInsertions.map {
        Blueprint.Lot(
          path: ItemPath(section: $0.section, item: 0), count: $0.items.count, animation: $0.animation)
      },
      moves: moves,
      insertions: insertions.map {
        Blueprint.Lot(path: $0.path, count: $0.items.count, animation: $0.animation)
      })
  }

  /// The inserted items, numbered as in a blueprint.
  var lots: [[Item]] { insertions.map(\.items) + sectionInsertions.map(\.items) }

  func checkUpdates(_ counts: [Int]) throws(ChangeSetMismatch) {
    for path in updates.map(\.path) {
      guard counts.indices.contains(path.section), 0..<counts[path.section] ~= path.item else {
        throw ChangeSetMismatch(part: .update, path: path, counts: counts)
      }
    }
  }

  /// This change set followed by a later one, as one; `counts` are the items per section before both.
  ///
  /// Items inserted and removed again leave no trace, an inserted and updated item is inserted with its new content,
  /// and the number of moves is minimal.
  public func merged(with later: ChangeSet, counts: [Int]) throws(ChangeSetMismatch) -> ChangeSet {
    var first = try Arrangement(blueprint(counts: baseCounts(over: counts)))
    let middle = first.sections.map(\.count)
    try checkUpdates(middle)
    let base = later.baseCounts(over: middle)
    let second = try Arrangement(later.blueprint(counts: base))
    try later.checkUpdates(second.sections.map(\.count))
    guard !later.isReload else { return later }
    if first.sections.isEmpty { first.sections = base.map { _ in Arrangement.Section() } }
    let firstLots = lots
    let arrangement = first.followed(by: second, lotCount: firstLots.count)
    let tracker = PathTracker(second, sectionCount: first.sections.count)
    let surviving = updates.compactMap { update in
      tracker.path(of: update.path).map {
        Update(path: $0, item: update.item, animation: update.animation)
      }
    }
    return ChangeSet(
      arrangement, lots: firstLots + later.lots, updates: surviving + later.updates, isReload: isReload)
  }

  private init(_ arrangement: Arrangement, lots: [[Item]], updates: [Update], isReload: Bool) {
    var lots = lots
    self.isReload = isReload
    self.updates = ChangeSet.fold(updates, into: &lots, arrangement)
    let gone = Set(arrangement.sectionRemovals.map(\.section))
    removals = arrangement.removals.filter { !gone.contains($0.section) }
    sectionRemovals = arrangement.sectionRemovals
    sectionMoves = arrangement.sectionMoves
    for (index, section) in arrangement.sections.enumerated() {
      moves += arrangement.movedRuns(ofSection: index).flatMap { $0.placed.moves(from: $0.from) }
      let fresh = arrangement.freshRuns(ofSection: index)
      if section.origin == nil {
        let items = fresh.flatMap { ChangeSet.items(of: $0.run, lots) }
        sectionInsertions.append(
          SectionInsertion(section: index, items: items, animation: section.animation))
      } else {
        for placed in fresh { append(ChangeSet.items(of: placed.run, lots), placed) }
      }
    }
  }

  /// Appends a run of items, merged into the last one if it continues it.
  private mutating func append(_ items: [Item], _ placed: Arrangement.PlacedRun) {
    if let last = insertions.last, last.animation == placed.run.animation,
      last.path.section == placed.path.section, last.path.item + last.items.count == placed.path.item
    {
      insertions[insertions.count - 1].items += items
    } else {
      insert(items, at: placed.path, animation: placed.run.animation)
    }
  }

  private static func items(of run: Arrangement.Run, _ lots: [[Item]]) -> [Item] {
    guard case .fresh(let number) = run.source else { return [] }
    return Array(lots[number][run.range])
  }

  /// Puts updates of fresh items into their lots; returns the others, the last of each item.
  private static func fold(
    _ updates: [Update], into lots: inout [[Item]], _ arrangement: Arrangement
  ) -> [Update] {
    var rest: [Update] = []
    var places: [ItemPath: Int] = [:]
    var indices: [Int: RunIndex] = [:]
    for update in updates {
      let section = update.path.section
      let index = indices[section] ?? RunIndex(arrangement.sections[section].runs)
      indices[section] = index
      let run = index.slice(update.path.item..<update.path.item + 1)[0]
      if case .fresh(let number) = run.source {
        lots[number][run.range.lowerBound] = update.item
      } else if let place = places[update.path] {
        rest[place] = update
      } else {
        places[update.path] = rest.count
        rest.append(update)
      }
    }
    return rest
  }
}
