public import Items
import Paging

extension RangeController {
  /// The items changed: the lengths do as `change` does, and where each item went is asked of the two
  /// functions. Gives what the items are to be told, those that are gone last.
  ///
  /// The first visible item that stays keeps its place in the viewport, which therefore may move; it never
  /// ends past the content. Takes time in proportion to the items near the viewport, not to all.
  public mutating func changeItems(
    oldIndex: (_ new: Int) -> Int?, newIndex: (_ old: Int) -> Int?,
    _ change: (inout ItemLengths) -> Void
  ) -> [RangeTransition] {
    let anchor = anchor(newIndex)
    change(&lengths)
    settleViewport(anchor)
    let before = told
    needsUpdate = false
    states = .none
    if isEnabled { placeAnew() }
    told = states
    return transitions(from: before, oldIndex: oldIndex, newIndex: newIndex)
  }

  /// The items changed by deletes and inserts in one section.
  public mutating func changeItems(
    by map: IndexMap, _ change: (inout ItemLengths) -> Void
  ) -> [RangeTransition] {
    changeItems(oldIndex: { map.old($0) }, newIndex: { map.new($0) }, change)
  }

  /// All items are new ones.
  public mutating func reloadItems(_ lengths: ItemLengths) -> [RangeTransition] {
    isValid = false
    return changeItems(oldIndex: { _ in nil }, newIndex: { _ in nil }) { $0 = lengths }
  }

  /// An item is longer or shorter than was thought; what is visible keeps its place.
  public mutating func resizeItem(at index: Int, to length: Double) -> [RangeTransition] {
    changeItems(oldIndex: { $0 }, newIndex: { $0 }) { $0[index] = length }
  }

  /// The first visible item that stays: its index afterwards, and how far before the viewport it starts.
  private func anchor(_ newIndex: (Int) -> Int?) -> (index: Int, distance: Double)? {
    for index in members(in: .visibleOnly).visible {
      guard let new = newIndex(index) else { continue }
      return (new, viewport.start(along: axis) - lengths.start(of: index))
    }
    return nil
  }

  private mutating func settleViewport(_ anchor: (index: Int, distance: Double)?) {
    var start = viewport.start(along: axis)
    if let anchor { start = lengths.start(of: anchor.index) + anchor.distance }
    let last = max(0, lengths.total - viewport.length(along: axis))
    moveViewport(to: viewport.moved(to: min(start, last), along: axis))
  }

  /// Places the items though none may be visible, which then leaves the mode as it is.
  private mutating func placeAnew() {
    let current = members(in: mode ?? .minimum)
    guard !current.visible.isEmpty else {
      states = current.states(
        isContainerVisible: container.state.contains(.visible), mode: mode ?? .minimum)
      isValid = false
      return
    }
    let next = nextMode
    place(next == mode ? current : members(in: next), mode: next)
  }

  private func transitions(
    from before: ItemRanges, oldIndex: (Int) -> Int?, newIndex: (Int) -> Int?
  ) -> [RangeTransition] {
    var result: [RangeTransition] = []
    for group in RangeGroup.allCases {
      for index in group.items(of: states, before: .none) {
        let new = states.state(of: index)
        guard RangeGroup(of: new) == group else { continue }
        let old = oldIndex(index).map { before.state(of: $0) } ?? []
        result.add(RangeTransition(items: index..<index + 1, old: old, new: new))
      }
    }
    let near = states.hull
    var removed: [RangeTransition] = []
    for index in before.hull {
      let old = before.state(of: index)
      guard let new = newIndex(index) else {
        removed.add(RangeTransition(items: index..<index + 1, old: old, new: [], isRemoval: true))
        continue
      }
      if !near.contains(new) { result.add(RangeTransition(items: new..<new + 1, old: old, new: [])) }
    }
    return result + removed
  }
}

extension [RangeTransition] {
  /// Adds a transition, to the run before it where it goes on; none where nothing changes.
  mutating func add(_ transition: RangeTransition) {
    guard transition.old != transition.new else { return }
    if let last, last.items.upperBound == transition.items.lowerBound, last.old == transition.old,
      last.new == transition.new, last.isRemoval == transition.isRemoval
    {
      self[count - 1].items = last.items.lowerBound..<transition.items.upperBound
    } else {
      append(transition)
    }
  }
}
