internal import Items

/// Where the reader is, by the ids around the first visible item; it is found again among other items.
struct ReadingPlace {
  /// How far a survivor is looked for on either side (Paging 3).
  private static let reach = 30

  private let first: Int
  /// The index that is looked around: the first visible item, or the last one where the reader is past the end.
  private let center: Int
  /// The ids around it from `start` on; released items have none.
  private let ids: [ItemID?]
  private let start: Int

  init(_ viewport: Viewport, in items: ItemSet) {
    first = viewport.firstVisible
    center = min(first, items.count - 1)
    start = max(0, center - Self.reach)
    let stop = min(items.count, center + Self.reach + 1)
    ids = start < stop ? (start..<stop).map { items[$0]?.id } : []
  }

  /// How far the viewport has to move so that the reader keeps the place.
  ///
  /// The first visible item stays the first visible one. Where it is gone the nearest one that is left takes its place:
  /// one that came behind it, else the item behind the one that came before it. Where none is left near, the viewport stays
  /// within the items. A reader past the end stays as far past it.
  func distance(to items: ItemSet) -> Int {
    guard !ids.isEmpty else { return 0 }
    for step in 0...Self.reach {
      for index in step == 0 ? [center] : [center + step, center - step] {
        guard ids.indices.contains(index - start), let id = ids[index - start],
          let place = items.path(of: id)?.item
        else { continue }
        if first > center { return place - index }
        return (index < center ? place + 1 : place) - first
      }
    }
    return min(first, max(0, items.count - 1)) - first
  }
}
