public import Paging

/// Four runs of items: those in the viewport, and those near it.
///
/// Either by geometry (`RangeController.members`), or as the items that have each bit of an interface state (`states`).
public struct ItemRanges: Sendable, Hashable {
  /// In the viewport.
  public var visible: Range<Int>
  /// Near enough to be rendered.
  public var display: Range<Int>
  /// Near enough for their data.
  public var preload: Range<Int>
  /// Near enough to be measured.
  public var measure: Range<Int>

  /// No items.
  public static let none = ItemRanges(visible: 0..<0, display: 0..<0, preload: 0..<0, measure: 0..<0)

  public init(visible: Range<Int>, display: Range<Int>, preload: Range<Int>, measure: Range<Int>) {
    self.visible = visible
    self.display = display
    self.preload = preload
    self.measure = measure
  }

  /// The state of an item, where each range stands for its bit.
  public func state(of index: Int) -> InterfaceState {
    var state: InterfaceState = []
    if measure.contains(index) { state.insert(.measure) }
    if preload.contains(index) { state.insert(.preload) }
    if display.contains(index) { state.insert(.display) }
    if visible.contains(index) { state.insert(.visible) }
    return state
  }

  /// The smallest range around all four.
  public var hull: Range<Int> { measure.hull(preload).hull(display).hull(visible) }

  /// The items with each bit when these are the members of the ranges (Texture 4.4, rule 6).
  public func states(isContainerVisible: Bool, mode: RangeMode) -> ItemRanges {
    if isContainerVisible {
      ItemRanges(
        visible: visible, display: display.hull(visible), preload: preload.hull(visible), measure: hull)
    } else {
      ItemRanges(
        visible: 0..<0, display: mode == .lowMemory ? 0..<0 : visible, preload: display.hull(visible),
        measure: hull)
    }
  }
}

extension Range<Int> {
  /// The smallest range around both; an empty one does not count.
  func hull(_ other: Range<Int>) -> Range<Int> {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
