internal import Items

/// A new generation while what was held before is still shown.
struct Gathering: Sendable {
  var items = ItemSet()
  var pages: [HeldPage] = []
  /// Items that the caller inserted meanwhile; the source may not know them yet.
  var insertions: [Edit] = []
}

extension Feed {
  /// Starts a new generation; its first page is fetched at once, whatever the policy thinks. What is held stays until the
  /// generation has as much as the extent asks for, and the difference is applied then.
  mutating func refresh(_ point: RefreshPoint) {
    let key: PageKey? =
      switch point {
      case .start: configuration.firstKey
      case .key(let given): given
      case .anchor: anchorKey
      }
    cancel(.append)
    cancel(.prepend)
    generation += 1
    effects.append(.note(.refreshing(generation: generation)))
    isPaused = false
    hasBegun = false
    gathering = items.isEmpty ? nil : Gathering()
    totalCount = configuration.options.knownTotal
    plan = KeyPlan(configuration)
    pagers = Feed.pagers(configuration, from: key)
    errorStreak = 0
    _ = start(pages: 1, .append)
  }

  /// Asks for the pages that a refresh needs before it can be shown; no policy is asked.
  mutating func gather() {
    guard !isPaused, isAsked(.append) else { return }
    switch configuration.options.refreshExtent {
    case .firstPage: if pagers[0].slots.isEmpty { _ = start(pages: 1, .append) }
    case .everything:
      _ = start(pages: pagers[0].freeSlots(total: totalCount, plan: plan), .append)
    }
  }

  /// Shows the new generation in the place of the old one, once enough of it is in.
  mutating func replaceWhenGathered() {
    guard let gathered = gathering, isEnough(gathered) else { return }
    gathering = nil
    hasBegun = true
    var new = gathered.items
    heldPages = gathered.pages
    passedItems = 0
    for insertion in gathered.insertions {
      heldPages.follow(new.edit(insertion).changes, passed: &passedItems)
    }
    let changes = new.difference(from: items, limit: configuration.options.reloadThreshold)
    let distance = anchorDistance(from: items, to: new)
    items = new
    effects.append(.note(.replaced(EditCounts(changes))))
    apply(changes)
    shiftViewport(by: distance)
  }

  private func isEnough(_ gathered: Gathering) -> Bool {
    if pagers[0].isExhausted(total: totalCount, plan: plan) { return true }
    return configuration.options.refreshExtent == .firstPage && !gathered.items.isEmpty
  }

  /// The key of the page with the first visible item.
  private var anchorKey: PageKey? {
    guard let viewport, !heldPages.isEmpty else { return configuration.firstKey }
    var start = passedItems
    for page in heldPages.dropLast() {
      if viewport.firstVisible < start + page.count { return page.order.key }
      start += page.count
    }
    return heldPages[heldPages.count - 1].order.key
  }

  /// How far the viewport moves so that the reader keeps the place when other items are shown: the first visible item
  /// stays the first visible one, or where it is gone, the nearest of 30 on either side that is not (Paging 3, 3.8).
  func anchorDistance(from old: ItemSet, to new: ItemSet) -> Int {
    guard let viewport else { return 0 }
    let first = viewport.firstVisible
    for distance in 0...30 {
      for offset in distance == 0 ? [0] : [distance, -distance] {
        guard let id = old[first + offset]?.id, let place = new.path(of: id)?.item else { continue }
        return (offset < 0 ? place + 1 : place) - first
      }
    }
    return min(first, max(0, new.count - 1)) - first
  }
}
