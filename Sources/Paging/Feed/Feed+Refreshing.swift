internal import Items

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
    // Where nothing is shown, nothing has to stay until a first page is in.
    gathering = items.isEmpty && configuration.options.refreshExtent == .firstPage ? nil : Gathering()
    if gathering == nil { heldPages = HeldPages() }
    totalCount = nil
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
    guard gathering != nil else { return }
    let isWhole = pagers[0].isExhausted(total: totalCount, plan: plan)
    guard isWhole || hasGatheredFirstPage, var new = gathering else { return }
    gathering = nil
    hasBegun = true
    // What did not come is not gone: what was read before stays.
    if isWhole, let mismatch = mismatch(atEndOf: .append), mismatch.missing > 0 { return }
    new.complete(from: items, isWhole: isWhole)
    let changes = new.items.difference(from: items, limit: configuration.options.reloadThreshold)
    let distance = readingPlace?.distance(to: new.items) ?? 0
    items = new.items
    heldPages = new.pages
    effects.append(.note(.replaced(EditCounts(changes))))
    apply(changes)
    shiftViewport(by: distance)
    dropFarEnds()
  }

  private var hasGatheredFirstPage: Bool {
    configuration.options.refreshExtent == .firstPage && gathering?.items.isEmpty == false
  }

  /// The key of the page with the first visible item.
  private var anchorKey: PageKey? {
    guard let page = viewport.flatMap({ heldPages.page(at: $0.firstVisible) }) else {
      return configuration.firstKey
    }
    return page.order.key
  }

  /// Where the reader is among the items that are held.
  var readingPlace: ReadingPlace? { viewport.map { ReadingPlace($0, in: items) } }
}
