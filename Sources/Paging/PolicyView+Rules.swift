extension PolicyView {
  /// Items held and in flight.
  public var expectedCount: Int { itemCount + expectedItems }

  /// Items between the viewport and the edge once everything in flight has arrived; negative past the edge.
  public var expectedRemaining: Double {
    let held =
      direction == .prepend
      ? Double(firstVisible) : Double(itemCount) - viewportLength - Double(firstVisible)
    return held + Double(expectedItems)
  }

  /// Items per second towards the edge; negative if moving away.
  public var approach: Double { direction == .prepend ? -velocity : velocity }

  /// Texture's rule in items, mirrored for prepending.
  public func decision(leadingScreens: Double) -> BatchFetchDecision {
    let content = Double(expectedCount)
    var state = ScrollState()
    state.isFetching = isFull
    state.bounds = Extent(width: 1, height: viewportLength)
    state.contentSize = Extent(width: 1, height: content)
    state.targetOffset.height =
      direction == .prepend ? content - viewportLength - expectedRemaining : Double(firstVisible)
    state.scrollDirection = approach < 0 ? .up : approach > 0 ? .down : []
    state.leadingScreens = leadingScreens
    state.isVisible = isVisible
    return shouldFetchBatch(state)
  }

  /// The rule in items: fewer than `distance` beyond the visible ones, counting those in flight.
  public func decision(distance: Int) -> BatchFetchDecision {
    if isFull { return BatchFetchDecision(false, .alreadyFetching) }
    let isNear = remainingItems + expectedItems < distance
    return BatchFetchDecision(isNear, isNear ? .withinTrigger : .beyondTrigger)
  }
}
