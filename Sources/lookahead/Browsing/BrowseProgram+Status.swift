import Items
import Paging
import Scripting
import Terminal

/// What the browser shows around the list.
extension BrowseProgram {
  func status(_ list: BrowsedList, at now: Instant) -> BrowseStatus {
    var status = BrowseStatus()
    status.source = workflow.browsedSource?.name ?? ""
    status.maxItems = workflow.browsedSource?.maxItems
    status.policy = choice.name
    status.inFlight = workflow.statistics.inFlight
    status.held = list.items.count
    if model.isPanelShown {
      (status.ranges, status.mode) = ranges.look(
        at: model.visible, rows: list.rowCount(beyond: model.height))
    }
    return status
  }
}
