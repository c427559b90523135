internal import Items

/// The held items, the pages that brought them, and a new generation of both that is still being gathered.
struct HeldItems: Sendable {
  /// How the newest generation is shown.
  private enum Stage: Sendable {
    /// None of its pages has landed; held items, if any, belong to an older generation.
    case awaited
    /// Its pages are merged as they land.
    case shown
    /// Its pages are gathered while the old generation is still shown.
    indirect case gathering(Gathering)
  }

  private let configuration: FeedConfiguration
  private(set) var items = ItemSet()
  /// Of the newest change set.
  private(set) var revision = 0
  private(set) var inserted = 0
  private(set) var updated = 0
  private(set) var duplicates = 0
  private var pages = HeldPages()
  private var stage = Stage.awaited
  /// The caller's edits while fetches were in flight.
  private var edits = EditMemory()
  private var yields = YieldWindow()
  /// Ids of what was delivered before the feed began.
  private var known: KnownIDs

  init(_ configuration: FeedConfiguration) {
    self.configuration = configuration
    known = configuration.options.beginning?.known ?? KnownIDs()
  }

  /// The generation has replaced the previous one.
  var hasBegun: Bool { if case .shown = stage { true } else { false } }

  var isGathering: Bool { if case .gathering = stage { true } else { false } }

  /// Whether some items of the new generation have landed, and its extent requires no more.
  var hasGatheredFirstPage: Bool {
    guard configuration.options.refreshExtent == .firstPage, case .gathering(let new) = stage else {
      return false
    }
    return !new.items.isEmpty
  }

  /// What a decision needs to know.
  var standing: Standing { Standing(count: items.count, hasBegun: hasBegun, meanYield: yields.mean) }

  struct Standing {
    let count: Int
    let hasBegun: Bool
    /// New items per recent page.
    let meanYield: Double?
  }

  /// Items of a new generation that is not shown yet.
  var gatheredItems: [Item] { if case .gathering(let new) = stage { new.items.items() } else { [] } }

  /// Whether the newest generation has an item of that id.
  func contains(_ id: ItemID) -> Bool {
    if case .gathering(let new) = stage { return new.items.contains(id) }
    return items.contains(id) || known.contains(id)
  }

  /// The id, or its twin where the newest generation has an item of that one.
  func heldForm(of id: ItemID) -> ItemID {
    guard let twin = id.twin, contains(twin), !contains(id) else { return id }
    return twin
  }

  /// The key of the page with the first visible item, the first page's if none is known; and what the pages before it were.
  func anchor(at viewport: Viewport?) -> (key: PageKey?, before: [PageOrder]) {
    let isCursor = configuration.options.keys == .cursor
    let orders = viewport.map { pages.orders(to: $0.firstVisible, readForwards: isCursor) } ?? []
    guard let last = orders.last else { return (configuration.firstKey, []) }
    return (last.key, orders.dropLast())
  }

  /// Awaits a new generation. Held items stay until enough of it has landed, if there are any.
  mutating func awaitGeneration() {
    if hasBegun { known = KnownIDs() }
    let staysEmpty = items.isEmpty && configuration.options.refreshExtent == .firstPage
    stage = staysEmpty ? .awaited : .gathering(Gathering())
    if staysEmpty { pages = HeldPages() }
  }

  /// Merges items into the shown ones, or into the generation being gathered.
  mutating func merge(_ new: [Item], of slot: Slot, _ side: Direction, _ turn: inout Turn) -> MergeResult {
    let rule = configuration.options.merge
    let (new, known) = withoutKnown(current(new, of: slot), isCompared: slot.order.isReplay)
    var result: MergeResult
    if case .gathering(var gathering) = stage {
      // Held once only, so that appending copies nothing.
      stage = .awaited
      result = gathering.items.append(new, merge: configuration.options.tellsRepeated ? .replace : rule)
      stage = .gathering(gathering)
    } else {
      stage = .shown
      result = side == .prepend ? items.prepend(new, merge: rule) : items.append(new, merge: rule)
      apply(result.changeSet, &turn)
    }
    result.duplicates += known.count
    result.repeated += known
    inserted += result.inserted.count
    updated += result.updated.count
    duplicates += result.duplicates
    return result
  }

  /// Whether the list is read from its start, and what came before the feed began comes again: each of it once. What was edited
  /// meanwhile may come once more, too.
  var comesAgain: Bool {
    let most = known.count + (configuration.options.tellsRepeated ? inserted : 0)
    return most > 0 && duplicates <= most
  }

  /// What was not delivered before the feed began, and what was; where a later form replaces an earlier one, all is new but for pages
  /// that are only compared.
  private func withoutKnown(_ new: [Item], isCompared: Bool) -> (new: [Item], known: [Item]) {
    guard !known.isEmpty, isCompared || configuration.options.merge == .keep else { return (new, []) }
    return (new.filter { !known.contains($0.id) }, new.filter { known.contains($0.id) })
  }

  /// Remembers a delivered page.
  mutating func hold(_ order: PageOrder, inserted: Int, _ side: Direction) {
    yields.add(inserted)
    if case .gathering(var gathering) = stage {
      stage = .awaited
      gathering.pages.append(order, itemCount: gathering.items.count)
      stage = .gathering(gathering)
    } else if side == .prepend {
      pages.prepend(order, count: inserted)
    } else {
      pages.append(order, itemCount: items.count)
    }
  }

  /// Replaces the old generation with the new one.
  mutating func replace(isWhole: Bool, _ turn: inout Turn) {
    guard case .gathering(var new) = stage else { return }
    stage = .shown
    switch configuration.options.refreshRemoval {
    case .unlessEmpty where new.items.isEmpty && !items.isEmpty: return turn.note(.keptAll(items.count))
    case .none: return add(new.items, &turn)
    case .all, .unlessEmpty: break
    }
    new.complete(from: items, isWhole: isWhole)
    let changes = new.items.difference(from: items, limit: configuration.options.reloadThreshold)
    items = new.items
    pages = new.pages
    turn.note(.replaced(EditCounts(changes)))
    apply(changes, &turn)
  }

  /// Adds a new generation to the old one, of which items that it has too take their new form.
  private mutating func add(_ new: ItemSet, _ turn: inout Turn) {
    let changes = items.append(new.items(), merge: .replace).changeSet
    pages.follow(changes)
    turn.note(.replaced(EditCounts(changes)))
    apply(changes, &turn)
  }

  /// Keeps the old generation: items that did not arrive are not gone.
  mutating func keepOldGeneration() { stage = .shown }

  /// Applies the caller's edit; answers of fetches up to the newest don't undo it. False if nothing changed.
  mutating func edit(_ edit: Edit, newestFetch: Int?, _ turn: inout Turn) -> Bool {
    if let newestFetch { edits.remember(edit, newestFetch: newestFetch) }
    if case .remove(let ids) = edit, !known.isEmpty { for id in ids { known.forget(id) } }
    if case .gathering(var gathering) = stage {
      stage = .awaited
      gathering.edit(edit, shown: items)
      stage = .gathering(gathering)
    }
    let result = items.edit(edit)
    inserted += result.counts.inserted
    updated += result.counts.updated
    turn.note(.edited(result.counts, unknown: result.unknown))
    guard !result.changes.isEmpty else { return false }
    pages.follow(result.changes)
    apply(result.changes, &turn)
    return true
  }

  /// Forgets edits older than every answer in flight.
  mutating func forgetEdits(_ inFlight: @autoclosure () -> [Slot]) {
    guard !edits.isEmpty else { return }
    edits.forget(olderThan: inFlight().compactMap(\.newestFetch?.number).min() ?? .max)
  }

  /// Releases the bytes of items before the viewport; their ids are kept.
  mutating func release(before index: Int) {
    // Only a later form of an item asks where the earlier one was.
    items.release(
      before: index, keepsPlaces: configuration.options.merge == .replace,
      spillingInto: configuration.options.spilling?.room)
    pages.pass(before: index)
  }

  /// The items of the outermost page at an end, if it may be dropped: more than two are held. Until the first page of a refresh
  /// lands, held items belong to an older generation, which is replaced as a whole.
  func droppable(from side: Direction) -> Range<Int>? {
    guard hasBegun, pages.pages.count > 2,
      let page = side == .prepend ? pages.pages.first : pages.pages.last
    else { return nil }
    // What is loose at the end goes with the last page.
    return side == .prepend ? 0..<page.count : pages.end - page.count..<items.count
  }

  /// Drops the outermost page at an end, and returns the order that refetches it.
  mutating func drop(_ range: Range<Int>, from side: Direction, _ turn: inout Turn) -> PageOrder {
    var changes = ChangeSet()
    changes.remove(range)
    items.remove(range)
    let order = side == .prepend ? pages.removeFirst() : pages.removeLast()
    apply(changes, &turn)
    return order.replay
  }

  /// The part of an answer not overtaken by an edit.
  private func current(_ new: [Item], of slot: Slot) -> [Item] {
    guard !edits.isEmpty, let fetch = slot.newestFetch?.number else { return new }
    return edits.current(new, fetch: fetch)
  }

  /// Emits a change set, unless it is empty.
  private mutating func apply(_ changes: ChangeSet, _ turn: inout Turn) {
    guard !changes.isEmpty else { return }
    revision += 1
    turn.add(.apply(changes, revision: revision))
  }
}
