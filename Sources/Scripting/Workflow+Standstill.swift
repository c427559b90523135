import Lua

/// Whether a run has come to its end, and a run in which nothing can happen any more although something is left to do.
extension Workflow {
  /// Whether something is left to do and nothing is under way that would lead to it.
  var isStuck: Bool {
    guard session?.prompt.isBusy ?? true else { return false }
    return calls.isEmpty && outbox.isEmpty && !feeds.isOpening && browser?.reader == nil
      && !(scheduler.isEmpty && fetches.isEmpty)
  }

  /// Whether all that the script, its readers and the sink have to do is done.
  var hasNothingLeft: Bool {
    run.isMainOver && scheduler.isEmpty && fetches.isEmpty && outbox.isEmpty && !feeds.isOpening
  }

  /// Why a run that is stuck stands still. A person at a prompt knows the line.
  var standstill: LuaError {
    if let idle = feeds.idleReader {
      return LuaError(
        .runtime,
        "source '\(idle.name)' stands still: its policy asks for no page, and its reader waits for one "
          + "(a policy must say yes at the edge, as view.hint does)", code: "standstill")
    }
    let lines = session == nil ? scheduler.waitingPlaces : []
    let others =
      lines.dropFirst().isEmpty ? "" : " (others wait at \(lines.dropFirst().joined(separator: ", ")))"
    return LuaError(
      .runtime,
      (lines.first.map { "\($0): " } ?? "")
        + "the script stands still: its tasks wait for each other, so none of them can go on\(others)",
      code: "standstill")
  }
}
