/// A run of items that change from one interface state to another.
public struct RangeTransition: Sendable, Hashable {
  /// Their indices; for deleted items, those before the change.
  public var items: Range<Int>
  /// The state before.
  public let old: InterfaceState
  /// The state after; empty for deleted items.
  public let new: InterfaceState
  /// Whether the items were deleted.
  public let isRemoval: Bool

  public init(items: Range<Int>, old: InterfaceState, new: InterfaceState, isRemoval: Bool = false) {
    self.items = items
    self.old = old
    self.new = new
    self.isRemoval = isRemoval
  }

  /// The callbacks for each of the items, one item after another.
  public var callbacks: InterfaceCallbacks { old.callbacks(to: new) }
}

/// The changes of one update pass: visible items first, then displayed, preloaded and all others, each in index order
/// (Texture 4.4, rule 5).
///
/// The states before and after are eight ranges, so transitions are found by comparing their bounds. Iterating
/// allocates nothing, however many items there are.
public struct RangePass: Sequence, Sendable, Hashable {
  /// The items with each bit before.
  public let old: ItemRanges
  /// The items with each bit now.
  public let new: ItemRanges

  public init(old: ItemRanges, new: ItemRanges) {
    self.old = old
    self.new = new
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { old == new }

  public func makeIterator() -> Iterator { Iterator(pass: self) }

  /// Iterates over the transitions.
  public struct Iterator: IteratorProtocol {
    private let pass: RangePass
    private var group = RangeGroup.visible
    private var rest: Range<Int>

    init(pass: RangePass) {
      self.pass = pass
      rest = pass.isEmpty ? 0..<0 : pass.new.visible
      if pass.isEmpty { group = .others }
    }

    public mutating func next() -> RangeTransition? {
      while true {
        while !rest.isEmpty {
          let run = rest.lowerBound..<pass.boundary(in: rest)
          rest = run.upperBound..<rest.upperBound
          let old = pass.old.state(of: run.lowerBound)
          let new = pass.new.state(of: run.lowerBound)
          if old != new, RangeGroup(of: new) == group {
            return RangeTransition(items: run, old: old, new: new)
          }
        }
        guard let following = group.following else { return nil }
        group = following
        rest = group.items(of: pass.new, before: pass.old)
      }
    }
  }

  /// Where the state before or after first changes in a range, or its end.
  private func boundary(in range: Range<Int>) -> Int {
    var nearest = range.upperBound
    func consider(_ bounds: Range<Int>) {
      if bounds.lowerBound > range.lowerBound { nearest = Swift.min(nearest, bounds.lowerBound) }
      if bounds.upperBound > range.lowerBound { nearest = Swift.min(nearest, bounds.upperBound) }
    }
    func consider(_ ranges: ItemRanges) {
      consider(ranges.visible)
      consider(ranges.display)
      consider(ranges.preload)
      consider(ranges.measure)
    }
    consider(old)
    consider(new)
    return nearest
  }
}

/// The order in which items are visited.
enum RangeGroup: Int, CaseIterable {
  case visible, display, preload, others

  /// The group of an item in that state.
  init(of state: InterfaceState) {
    if state.contains(.visible) {
      self = .visible
    } else if state.contains(.display) {
      self = .display
    } else {
      self = state.contains(.preload) ? .preload : .others
    }
  }

  var following: RangeGroup? { RangeGroup(rawValue: rawValue + 1) }

  /// A run that contains all items of the group.
  func items(of new: ItemRanges, before old: ItemRanges) -> Range<Int> {
    switch self {
    case .visible: new.visible
    case .display: new.display
    case .preload: new.preload
    case .others: old.hull.hull(new.hull)
    }
  }
}
