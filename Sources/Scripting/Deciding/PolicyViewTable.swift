import Lua
import Paging

/// The `view` of scripts: a policy view's numbers by name, in a reused table.
final class PolicyViewTable {
  let table: LuaView
  private let latency: LuaView

  /// The fields, in order of position.
  static let names = [
    "now", "firstVisible", "lastVisible", "itemCount", "totalCount", "remainingItems", "remainingScreens",
    "remainingTime", "velocity", "direction", "isVisible", "inFlight", "isFetching", "isExhausted", "latency",
    "pageSize", "pageYield", "errorStreak", "fetches", "leadingScreens", "hint", "hintReason",
  ]
  static let latencyNames = ["last", "mean", "p50", "p95", "count"]

  init(_ state: LuaState) {
    table = LuaView(state, names: Self.names)
    latency = LuaView(state, names: Self.latencyNames)
  }

  /// Shows the numbers of one decision; item positions become 1-based.
  func show(_ view: PolicyView) {
    table.set(0, view.now.seconds)
    table.set(1, view.firstVisible + 1)
    table.set(2, view.lastVisible + 1)
    table.set(3, view.itemCount)
    table.set(4, view.totalCount)
    table.set(5, view.remainingItems)
    table.set(6, view.remainingScreens)
    table.set(7, view.remainingTime)
    table.set(8, view.velocity)
    table.set(9, view.direction.text)
    table.set(10, view.isVisible)
    table.set(11, view.inFlight)
    table.set(12, view.isFetching)
    table.set(13, view.isExhausted)
    latency.set(0, view.latency.last)
    latency.set(1, view.latency.mean)
    latency.set(2, view.latency.p50)
    latency.set(3, view.latency.p95)
    latency.set(4, view.latency.count)
    table.set(14, latency)
    table.set(15, view.pageSize)
    table.set(16, view.pageYield)
    table.set(17, view.errorStreak)
    table.set(18, view.fetches)
    table.set(19, view.leadingScreens)
    table.set(20, view.hint)
    table.set(21, view.hintReason.text)
  }
}

extension Direction {
  var text: StaticString {
    switch self {
    case .append: "append"
    case .prepend: "prepend"
    case .refresh: "refresh"
    }
  }
}

extension BatchFetchReason {
  var text: StaticString {
    switch self {
    case .alreadyFetching: "alreadyFetching"
    case .noLeadingScreens: "noLeadingScreens"
    case .emptyBounds: "emptyBounds"
    case .smallContent: "smallContent"
    case .invisible: "invisible"
    case .towardsHead: "towardsHead"
    case .withinTrigger: "withinTrigger"
    case .beyondTrigger: "beyondTrigger"
    case .delegateYes: "delegateYes"
    case .delegateNo: "delegateNo"
    }
  }
}
