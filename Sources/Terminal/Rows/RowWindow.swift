import Items
public import Listing
import Paging

/// The rows of a list near the viewport, made ahead by background jobs.
///
/// It covers Texture's measure range, two screens on either side, and is extended when less than one is left.
public struct RowWindow: Sendable {
  private var controller = DataController<RowSource>()
  private var items: [Item] = []
  private var start = 0
  private var columns = 0

  init() { controller.processingMode = .alwaysAsynchronous }

  /// Follows the viewport; returns the jobs to run and to cancel.
  ///
  /// Visible rows are hurried, so that they exist once these effects are carried out.
  mutating func show(
    _ list: BrowsedList, _ visible: Range<Int>, columns: Int
  ) -> [DataEffect<RowSource>] {
    let near = visible.grown(by: 1).clamped(to: list.held)
    let isTooNarrow = columns > self.columns
    var effects: [DataEffect<RowSource>] = []
    if isTooNarrow || !places.isSuperset(of: near) || !holds(list) {
      let reach = RangeTuning.standard.measure
      let window = visible.grown(by: max(reach.leading, reach.trailing)).clamped(to: list.held)
      self.columns = max(columns, self.columns)
      effects = replace(window.compactMap { list[$0] }, from: window.lowerBound, reloads: isTooNarrow)
    }
    let shown = visible.clamped(to: places).map { controller.pending[ItemPath(item: $0 - start)]!.id }
    return effects + show(controller.make(shown.filter { controller.product(of: $0) == nil }))
  }

  /// The row of an item at a place, if made.
  func row(_ item: Item, at place: Int) -> MeasuredRow? {
    guard places.contains(place), items[place - start] == item else { return nil }
    return controller.pending[ItemPath(item: place - start)].flatMap { controller.product(of: $0.id) }
  }

  /// Handles a finished job, failed if without a row; returns the effects.
  public mutating func finished(_ job: JobID, _ row: MeasuredRow?) -> [DataEffect<RowSource>] {
    show(row.map { controller.jobFinished(job, product: $0) } ?? controller.jobFailed(job))
  }

  private var places: Range<Int> { start..<start + items.count }

  /// Whether the list still has these items at these places.
  private func holds(_ list: BrowsedList) -> Bool {
    items.indices.allSatisfy { list[start + $0] == items[$0] }
  }

  private mutating func replace(
    _ new: [Item], from place: Int, reloads: Bool
  ) -> [DataEffect<RowSource>] {
    let old = items
    (items, start) = (new, place)
    let source = RowSource(items: new, columns: columns)
    do {
      guard !reloads else { return show(try controller.reloadData(from: source)) }
      let changes = new.difference(from: old, id: { $0.id }, isContentEqual: { $0.bytes == $1.bytes })
      let paths = changes.pathChanges(oldCount: old.count, newCount: new.count)
      return show(try controller.submit(paths, from: source))
    } catch {
      preconditionFailure("rows that are their own source did not add up: \(error)")
    }
  }

  /// Rows are drawn from pending, so every change is acknowledged at once.
  private mutating func show(_ effects: [DataEffect<RowSource>]) -> [DataEffect<RowSource>] {
    effects.flatMap { effect in
      if case .apply(let revision, _) = effect { return show(controller.readerApplied(revision)) }
      return [effect]
    }
  }
}

extension Range<Int> {
  /// Extended at both ends by a multiple of its length.
  func grown(by factor: Double) -> Range<Int> {
    let more = Int((Double(count) * factor).rounded(.up))
    return lowerBound - more..<upperBound + more
  }

  func isSuperset(of other: Range<Int>) -> Bool {
    other.isEmpty || contains(other.lowerBound) && contains(other.upperBound - 1)
  }
}
