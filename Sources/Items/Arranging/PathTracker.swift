/// Says where items of a middle state are after the later of two changes.
struct PathTracker {
  private struct Stretch {
    var items: Range<Int>
    var path: ItemPath
  }

  /// For each middle section, ascending.
  private var stretches: [[Stretch]]

  init(_ later: Arrangement, sectionCount: Int) {
    stretches = Array(repeating: [], count: sectionCount)
    for index in later.sections.indices {
      for placed in later.placedRuns(ofSection: index) {
        guard case .old(let section) = placed.run.source else { continue }
        stretches[section].append(Stretch(items: placed.run.range, path: placed.path))
      }
    }
    for index in stretches.indices { stretches[index].sort { $0.items.lowerBound < $1.items.lowerBound } }
  }

  /// Nil when the item is gone.
  func path(of middle: ItemPath) -> ItemPath? {
    let list = stretches[middle.section]
    var low = 0
    var high = list.count
    while low < high {
      let index = (low + high) / 2
      if list[index].items.lowerBound <= middle.item { low = index + 1 } else { high = index }
    }
    guard low > 0, list[low - 1].items.contains(middle.item) else { return nil }
    let stretch = list[low - 1]
    return ItemPath(
      section: stretch.path.section, item: stretch.path.item + middle.item - stretch.items.lowerBound)
  }
}
