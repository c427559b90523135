import Listing
import Paging

/// The four ranges around the viewport, with rows of equal length.
struct RangeWatch {
  private var controller = RangeController(lengths: ItemLengths(count: 0, length: 1), axis: .vertical)
  private var top = 0

  /// The ranges in places, and how far they reach.
  mutating func look(at visible: Range<Int>, rows: Int) -> (ItemRanges, RangeMode?) {
    if rows != controller.lengths.count { _ = controller.reloadItems(ItemLengths(count: rows, length: 1)) }
    let direction: ScrollDirections =
      visible.lowerBound > top ? .down : visible.lowerBound < top ? .up : []
    if !direction.isEmpty { controller.beginDragging() }
    top = visible.lowerBound
    controller.moveViewport(
      to: Rect(x: 0, y: Double(visible.lowerBound), width: 1, height: Double(visible.count)),
      direction: direction)
    _ = controller.update()
    return (controller.states, controller.mode)
  }
}
