import Foundation

/// Ends the whole test run when `body` does not end: what hangs in Lua cannot be cancelled, and would hang the suite.
func guarded<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
  let isOver = DispatchSemaphore(value: 0)
  let watch = Thread {
    guard isOver.wait(timeout: .now() + 60) == .timedOut else { return }
    fatalError("not stopped: \(name)")
  }
  watch.start()
  defer { isOver.signal() }
  return try body()
}
