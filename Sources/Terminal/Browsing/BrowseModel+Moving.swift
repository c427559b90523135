internal import Items
internal import Paging

extension BrowseModel {
  /// Selects another row; the screen follows it.
  mutating func select(_ place: Int, _ list: BrowsedList, at now: Instant) {
    selected = max(0, min(lastRow(list), place))
    followsEnd = false
    keepSelectedVisible()
    clamp(list, at: now)
    meter.note(top, at: now)
  }

  /// Moves screen and selection together.
  mutating func scroll(by distance: Int, _ list: BrowsedList, at now: Instant) {
    followsEnd = false
    let offset = selected - top
    let highest = max(0, rows(list) - height)
    let target = max(0, min(highest, top + distance))
    if target == top {
      // There is nothing to scroll any more: the selection goes on to the very end.
      selected = max(0, min(lastRow(list), selected + distance))
    } else {
      top = target
      selected = min(lastRow(list), top + offset)
    }
    meter.note(top, at: now)
  }

  /// Goes to a place at once; that is no movement with a speed.
  mutating func jump(to place: Int, _ list: BrowsedList, at now: Instant) {
    selected = max(0, min(lastRow(list), place))
    if !visible.contains(selected) {
      top = max(0, min(selected - height / 3, max(0, rows(list) - height)))
    }
    meter.reset(top, at: now)
  }

  /// Goes to the end of what is known, and on as more becomes known.
  mutating func showEnd(_ list: BrowsedList, at now: Instant) {
    let isOnTheWay = followsEnd
    followsEnd = !list.isAtEnd
    // A list that does not say how long it is has to be read page by page.
    if followsEnd, list.total == nil { message = "on the way to the end, page by page: any other key stops" }
    if isOnTheWay, !followsEnd { message = "" }
    let target = max(0, rows(list) - height)
    if target != top || selected != lastRow(list) {
      top = target
      selected = lastRow(list)
      meter.reset(top, at: now)
    }
  }

  mutating func keepSelectedVisible() {
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
  }

  /// Keeps to rows that there are.
  mutating func clamp(_ list: BrowsedList, at now: Instant) {
    let highest = max(0, rows(list) - height)
    selected = max(0, min(lastRow(list), selected))
    if top > highest {
      top = highest
      meter.reset(top, at: now)
    }
    if selected < top || selected >= top + height {
      selected = max(top, min(lastRow(list), top + height - 1))
    }
  }

  /// Rows that there are or may be.
  func rows(_ list: BrowsedList) -> Int { list.rowCount(beyond: height) }

  func lastRow(_ list: BrowsedList) -> Int { max(0, rows(list) - 1) }
}
