import Lua

/// Whether a run continues, and if not, why.
final class RunState {
  /// The first error that ended the run.
  private(set) var failure: LuaError?
  /// Whether nothing new is fetched or run; items given to the sink are still delivered.
  private(set) var isStopping = false
  /// Whether the script has ended; its tasks and readers may still run.
  private(set) var isMainOver = false
  /// Whether others may read partitions beside this one, of which each would do a step once.
  var isOneOfMany = false
  /// Whether it goes on with what a run before it has read.
  var goesOn = false
  /// Closes what is open, once, when the run stops.
  var onStop: () -> Void = {}
  /// Handles errors that do not end the run: a prompt continues after them.
  var divert: ((LuaError) -> Void)?

  func finishMain() { isMainOver = true }

  /// Ends the run with an error, unless it is diverted; items given to the sink stay. That a stop cancels what waits is none.
  func fail(_ error: LuaError) {
    if isStopping, error.code == "cancelled" { return }
    if let divert, !isStopping { return divert(error) }
    stop(error)
  }

  /// Stops fetching and running, with the reason if there is one.
  func stop(_ error: LuaError? = nil) {
    failure = failure ?? error
    guard !isStopping else { return }
    isStopping = true
    isMainOver = true
    onStop()
  }
}
