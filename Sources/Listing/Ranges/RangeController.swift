public import Items
public import Paging

/// Assigns items to the ranges visible, display, preload and measure (Texture 4).
///
/// It knows only the lengths of the items, so a pass costs O(log n) plus the transitions. The owner reports events and
/// calls `update` once per turn; transitions are returned, no callbacks are made.
///
///     var controller = RangeController(lengths: ItemLengths(count: 100, length: 20), axis: .vertical)
///     controller.moveViewport(to: Rect(x: 0, y: 0, width: 10, height: 200))
///     for transition in controller.update() { print(transition.items, transition.new) }
public struct RangeController: Sendable {
  /// How far the ranges reach; takes effect with the next pass.
  public var tuning: RangeTuning {
    didSet { needsUpdate = needsUpdate || tuning != oldValue }
  }
  /// The axis along which items are laid out.
  public let axis: Axis
  /// Whether transitions wait for `commit`, so that a change and its reverse in one turn cancel out.
  public let isCoalescing: Bool
  /// The lengths of the items.
  public private(set) var lengths: ItemLengths
  /// The visible part.
  public private(set) var viewport = Rect.zero
  /// The direction of the last movement; right and down before the first.
  public private(set) var direction: ScrollDirections = [.right, .down]
  /// The current range mode; nil before the first pass.
  public private(set) var mode: RangeMode?
  /// The state of the container that shows the items.
  public private(set) var container: InterfaceTracker
  /// The items with each bit, as of the last pass.
  public private(set) var states = ItemRanges.none
  /// Whether the next `update` makes a pass.
  public private(set) var needsUpdate = true
  /// Whether a pass has placed the items since the ranges were last reset.
  public private(set) var isValid = false
  /// The states as of the last commit.
  private var committed = ItemRanges.none
  private var preservesMode = false
  private var hasBeenScrolled = false

  /// `container` is the state of the container: in the hierarchy if it is on screen.
  public init(
    lengths: ItemLengths, axis: Axis, tuning: RangeTuning = .standard,
    container: InterfaceState = .inHierarchy, isCoalescing: Bool = false
  ) {
    self.lengths = lengths
    self.axis = axis
    self.tuning = tuning
    self.isCoalescing = isCoalescing
    self.container = InterfaceTracker(container, isRangeManaged: false)
  }

  /// The viewport moved or was resized; an empty direction keeps the last one.
  public mutating func moveViewport(to rect: Rect, direction: ScrollDirections = []) {
    if rect != viewport { needsUpdate = true }
    viewport = rect
    let moving = direction.intersection(axis.directions)
    guard !moving.isEmpty, moving != self.direction else { return }
    self.direction = moving
    needsUpdate = true
  }

  /// Runs a pass if needed or forced.
  public mutating func update(isForced: Bool = false) -> RangePass {
    guard needsUpdate || isForced else { return RangePass(old: committed, new: committed) }
    needsUpdate = false
    var members = members(in: mode ?? .minimum)
    if members.visible.isEmpty {
      states.visible = 0..<0
      isValid = false
    } else {
      let next = nextMode
      if next != mode { members = self.members(in: next) }
      place(members, mode: next)
    }
    return isCoalescing ? RangePass(old: committed, new: committed) : commit()
  }

  /// All transitions since the last commit.
  public mutating func commit() -> RangePass {
    let pass = RangePass(old: committed, new: states)
    committed = states
    return pass
  }

  /// The items in each range, by geometry alone (Texture 4.2 to 4.4).
  public func members(in mode: RangeMode) -> ItemRanges {
    let visible = items(in: viewport)
    func members(_ extent: RangeExtent) -> Range<Int> {
      extent == .zero ? visible : items(in: rect(of: extent, direction))
    }
    return ItemRanges(
      visible: visible,
      display: mode == .lowMemory ? 0..<0 : members(tuning[.display, mode]),
      preload: members(tuning[.preload, mode]),
      measure: items(in: rect(of: tuning.measure, [.right, .down])))
  }

  /// Adopts the states of these members in a mode, and completes the request for it.
  private mutating func place(_ members: ItemRanges, mode next: RangeMode) {
    states = members.states(isContainerVisible: container.state.contains(.visible), mode: next)
    mode = next
    preservesMode = false
    isValid = true
  }

  /// The mode of the next pass.
  private var nextMode: RangeMode {
    RangeMode.next(
      after: mode, isPreserved: preservesMode, hasBeenScrolled: hasBeenScrolled,
      isVisible: container.state.contains(.visible))
  }

  private func rect(of extent: RangeExtent, _ direction: ScrollDirections) -> Rect {
    extent.rect(around: viewport, scrollable: axis.directions, direction: direction)
  }

  private func items(in rect: Rect) -> Range<Int> {
    let start = rect.start(along: axis)
    return lengths.items(from: start, to: start + rect.length(along: axis))
  }

  /// Requests a mode, at least for the next pass.
  public mutating func setMode(_ wanted: RangeMode) {
    preservesMode = true
    guard mode != wanted else { return }
    mode = wanted
    needsUpdate = true
  }

  /// The user began to drag: ranges are in full mode from now on.
  public mutating func beginDragging() {
    hasBeenScrolled = true
    setMode(.full)
  }

  /// Handles low memory and changes between background and foreground.
  public mutating func handle(_ event: ApplicationEvent) -> RangePass {
    let previous = mode
    setMode(event.mode(for: container.state))
    let pass = update(isForced: mode != previous)
    guard event == .enteredBackground else { return pass }
    return clear(\.visible, after: pass)
  }

  /// Clears a bit of all items, as part of the last pass.
  private mutating func clear(
    _ bit: WritableKeyPath<ItemRanges, Range<Int>>, after pass: RangePass
  ) -> RangePass {
    states[keyPath: bit] = 0..<0
    return isCoalescing ? pass : RangePass(old: pass.old, new: commit().new)
  }

  /// The container came on screen.
  public mutating func enterWindow() -> RangePass {
    _ = container.enterWindow()
    return update(isForced: true)
  }

  /// The container left the screen; takes effect when the turn ends, unless it came back.
  public mutating func leaveWindow() { container.leaveWindow() }

  /// Ends the turn: runs a pass if needed.
  public mutating func endTurn() -> RangePass {
    let change = container.endTurn()
    return update(isForced: change.old != change.new)
  }

  /// The items changed: `change` updates the lengths, and the two functions map indices. Returns the transitions, those
  /// of deleted items last.
  ///
  /// The first visible item that stays keeps its position in the viewport, which may therefore move, but never past the
  /// end of the content. Takes time proportional to the items near the viewport, not to all items.
  public mutating func changeItems(
    oldIndex: (_ new: Int) -> Int?, newIndex: (_ old: Int) -> Int?,
    _ change: (inout ItemLengths) -> Void
  ) -> [RangeTransition] {
    let anchor = anchor(newIndex)
    change(&lengths)
    settleViewport(anchor)
    let before = committed
    needsUpdate = false
    states = .none
    placeAnew()
    committed = states
    return transitions(from: before, oldIndex: oldIndex, newIndex: newIndex)
  }

  /// The items changed by deletions and insertions in one section.
  public mutating func changeItems(
    by map: IndexMap, _ change: (inout ItemLengths) -> Void
  ) -> [RangeTransition] {
    changeItems(oldIndex: { map.old($0) }, newIndex: { map.new($0) }, change)
  }

  /// All items are new.
  public mutating func reloadItems(_ lengths: ItemLengths) -> [RangeTransition] {
    isValid = false
    return changeItems(oldIndex: { _ in nil }, newIndex: { _ in nil }) { $0 = lengths }
  }

  /// The first visible item that stays: its new index, and how far before the viewport it starts.
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

  /// Places the items even if none is visible, which then keeps the mode.
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
  /// Adds a transition, merged into the previous run if it continues it; none if nothing changes.
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
