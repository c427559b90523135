import Lua
import Paging

/// Runs that cannot go on by themselves are ended, with the reason, instead of waiting for ever.
extension Workflow {
  /// Closes loops that nobody can read any more: the script is over and had left them open.
  func closeAbandonedLoops() {
    guard !(readers.isEmpty && prefetchers.isEmpty), tasks.values.allSatisfy(\.isFetch) else { return }
    let open = readers.values.sorted { $0.id < $1.id }
    let hasSink = open.contains { reader in
      guard case .sink? = (reader as? FeedReader)?.kind else { return false }
      return true
    }
    guard !hasSink, browsedReader == nil else { return }
    for reader in open { close(reader) }
    endPrefetches()
  }

  /// Whether something is left to do and nothing is under way that would lead to it.
  var isStuck: Bool {
    calls.isEmpty && outbox.isEmpty && browsedReader == nil && !(tasks.isEmpty && readers.isEmpty)
  }

  /// Why a run that is stuck stands still.
  var standstill: LuaError {
    let idle = readers.values.sorted { $0.id < $1.id }.first { ($0 as? FeedReader)?.isIdle ?? false }
    guard let idle else {
      return LuaError(
        .runtime, "the script stands still: its tasks wait for each other, so none of them can go on",
        code: "standstill")
    }
    return LuaError(
      .runtime,
      "source '\(idle.name)' stands still: its policy asks for no page, and its reader waits for one "
        + "(a policy must say yes at the edge, as view.hint does)", code: "standstill")
  }
}

extension FeedReader {
  /// Whether the reader wants more and nothing is on its way.
  var isIdle: Bool {
    guard ending == nil, queue.isEmpty, fetches.isEmpty else { return false }
    if case .iterator = kind { return waiting != nil }
    return true
  }
}
