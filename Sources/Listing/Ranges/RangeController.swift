public import Paging

/// Says of every item how near it is to the eye: visible, display, preload, measure (Texture 4).
///
/// All it knows of the items is how long they are, so a pass costs what finding a place costs, O(log n), and
/// what changed. Who owns it tells it what happened and calls `update` once per turn; what the items are to
/// be told comes back. Nothing is called from in here.
public struct RangeController: Sendable {
  /// How far the ranges reach; takes effect with the next pass.
  public var tuning: RangeTuning {
    didSet { needsUpdate = needsUpdate || tuning != oldValue }
  }
  /// The axis along which items follow each other.
  public let axis: Axis
  /// Transitions wait for `commit`, so that a change and its reverse in one turn are not told at all.
  public let isCoalescing: Bool
  /// Whether passes do anything; where they do not, items keep the state they have.
  public var isEnabled = true
  /// How long the items are.
  public internal(set) var lengths: ItemLengths
  /// What is seen.
  public private(set) var viewport = Rect.zero
  /// The last movement there was; right and down before the first.
  public private(set) var direction: ScrollDirections = [.right, .down]
  /// How far the ranges reach now; nil before the first pass.
  public internal(set) var mode: RangeMode?
  /// The state of what shows the items.
  public internal(set) var container: InterfaceTracker
  /// Which items have which bit, as of the last pass.
  public internal(set) var states = ItemRanges.none
  /// A pass is due.
  public internal(set) var needsUpdate = true
  /// Whether a pass has placed the items since the ranges were last lost.
  public internal(set) var isValid = false
  /// The states that the items were told.
  var told = ItemRanges.none
  var preservesMode = false
  var hasBeenScrolled = false
  var awaitsRenderer = false

  /// A container that is on a screen, or not; a nested one is itself an item of another.
  public init(
    lengths: ItemLengths, axis: Axis, tuning: RangeTuning = .standard, isVisible: Bool = true,
    isNested: Bool = false, isCoalescing: Bool = false
  ) {
    self.lengths = lengths
    self.axis = axis
    self.tuning = tuning
    self.isCoalescing = isCoalescing
    container = InterfaceTracker(isVisible ? .inHierarchy : [], isRangeManaged: isNested)
  }

  /// The viewport moved or changed its size, in that direction; an empty one keeps the direction.
  public mutating func moveViewport(to rect: Rect, direction: ScrollDirections = []) {
    if rect != viewport { needsUpdate = true }
    viewport = rect
    let moving = direction.intersection(axis.directions)
    guard !moving.isEmpty, moving != self.direction else { return }
    self.direction = moving
    needsUpdate = true
  }

  /// Makes the pass that is due, if any; `isForced` makes one anyway.
  public mutating func update(isForced: Bool = false) -> RangePass {
    guard needsUpdate || isForced, isEnabled else { return RangePass(old: told, new: told) }
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
    return isCoalescing ? RangePass(old: told, new: told) : commit()
  }

  /// Everything that changed since the items were last told.
  public mutating func commit() -> RangePass {
    let pass = RangePass(old: told, new: states)
    told = states
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

  /// Takes on the states that these members have in a mode, which is over as a wish from now on.
  mutating func place(_ members: ItemRanges, mode next: RangeMode) {
    let displayed = states.display
    states = members.states(isContainerVisible: container.state.contains(.visible), mode: next)
    mode = next
    preservesMode = false
    isValid = true
    awaitsRenderer = states.display.hull(displayed) != displayed
  }

  /// The mode that the next pass has.
  var nextMode: RangeMode {
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
}
