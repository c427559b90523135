internal import Items

extension Feed {
  /// The reader moved.
  mutating func move(_ viewport: Viewport) {
    self.viewport = viewport
    isPaused = false
    if configuration.options.releasesPassedItems { release() }
  }

  /// Remembers a page that took its place.
  mutating func hold(_ order: PageOrder, inserted: Int, _ side: Direction) {
    if let gathered = gathering?.items.count {
      gathering?.pages.append(order, itemCount: gathered)
    } else if side == .prepend {
      heldPages.prepend(order, count: inserted)
    } else {
      heldPages.append(order, itemCount: items.count)
    }
  }

  /// Opens the front, where the first page of a generation says that something comes before it.
  mutating func openPrepend(from order: PageOrder, _ landing: Landing) {
    let lane = Direction.prepend.lane
    if plan.kind == .cursor {
      if let key = landing.previousKey, !landing.isOver { pagers[lane].frontier = .key(key) }
    } else if let number = order.number, number > plan.firstNumber {
      pagers[lane].frontier = .key(.integer(number))
    }
  }

  /// Drops whole pages at the other end while more items are held than allowed, but none that is near.
  mutating func dropFarEnd(growing side: Direction) {
    guard let limit = configuration.options.maxItems else { return }
    drop(from: side == .append ? .prepend : .append, downTo: limit)
  }

  /// Drops at both ends what is too much, where items came elsewhere than at an end.
  mutating func dropFarEnds() {
    guard let limit = configuration.options.maxItems else { return }
    drop(from: .append, downTo: limit)
    drop(from: .prepend, downTo: limit)
  }

  /// Lets go of what can be fetched again, or will not be looked at again.
  mutating func shrink() {
    if configuration.options.releasesPassedItems {
      release()
    } else {
      drop(from: .append, downTo: 0)
      drop(from: .prepend, downTo: 0)
    }
  }

  /// What the reader sees is further back now; it is told.
  mutating func shiftViewport(by distance: Int) {
    guard viewport != nil, distance != 0 else { return }
    viewport?.firstVisible += distance
    viewport?.lastVisible += distance
    effects.append(.shiftViewport(by: distance))
  }

  private mutating func release() {
    guard let viewport else { return }
    items.release(before: viewport.firstVisible)
    heldPages.pass(before: viewport.firstVisible)
  }

  /// Before the first page of a refresh is in, what is held belongs to another generation and goes as a
  /// whole.
  private mutating func drop(from side: Direction, downTo limit: Int) {
    guard hasBegun else { return }
    var dropped = 0
    while items.count > limit, heldPages.pages.count > 2,
      let page = side == .prepend ? heldPages.pages.first : heldPages.pages.last
    {
      // What is loose at the end goes with the last page.
      let range = side == .prepend ? 0..<page.count : heldPages.end - page.count..<items.count
      guard slack(on: side) - range.count >= nearDistance else { break }
      cancel(side)
      var changes = ChangeSet()
      changes.remove(range)
      items.remove(range)
      remember(page.order, side)
      apply(changes)
      if side == .prepend { shiftViewport(by: -range.count) }
      dropped += range.count
    }
    if dropped > 0 { effects.append(.note(.dropped(side, items: dropped))) }
  }

  private mutating func remember(_ order: PageOrder, _ side: Direction) {
    if side == .prepend { heldPages.removeFirst() } else { heldPages.removeLast() }
    var order = order
    order.isReplay = true
    if order.direction == .refresh { order.direction = .append }
    pagers[side.lane].remember(order)
  }

  /// Items held beyond the visible ones.
  func slack(on side: Direction) -> Int {
    guard let viewport else { return 0 }
    return side == .prepend ? viewport.firstVisible : items.count - 1 - viewport.lastVisible
  }

  /// Items that stay on either side of the viewport.
  var nearDistance: Int {
    guard let viewport else { return 0 }
    return configuration.options.prefetchDistance
      ?? Int(min(1e9, viewport.length * configuration.options.leadingScreens).rounded(.up))
  }
}
