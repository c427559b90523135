import Lua

/// Whether a run goes on, and why it does not.
final class RunState {
  /// The first error that ended the run.
  private(set) var failure: LuaError?
  /// Nothing new is fetched or run; what was given to the sink is still delivered.
  private(set) var isStopping = false
  /// The script has reached its end; tasks and readers that it started may go on.
  private(set) var isMainOver = false
  /// Closes what is open, once, when the run stops.
  var onStop: () -> Void = {}
  /// Takes errors that do not end the run: a prompt goes on after them.
  var divert: ((LuaError) -> Void)?

  func finishMain() { isMainOver = true }

  /// Ends the run with an error, unless it is diverted; what was given to the sink stays.
  func fail(_ error: LuaError) {
    if let divert, !isStopping { return divert(error) }
    stop(error)
  }

  /// Stops fetching and running, with the reason where there is one.
  func stop(_ error: LuaError? = nil) {
    failure = failure ?? error
    guard !isStopping else { return }
    isStopping = true
    isMainOver = true
    onStop()
  }
}
