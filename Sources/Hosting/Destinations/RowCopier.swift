import Paging

/// Copies rows on a thread of its own, so that the next ones are built meanwhile. One connection is used by one of the two
/// threads at a time.
final class RowCopier {
  private enum State {
    case idle, copying
    case failed(ADBCError)
  }

  private let state = Monitor(State.idle)
  private var worker: Worker?

  /// Begins to copy rows, once those before are copied; throws why those were not.
  func copy(_ rows: BuiltRows, over connection: ADBCConnection, into target: ADBCTarget) throws(ADBCError) {
    do throws(ADBCError) {
      try wait()
    } catch {
      rows.free()
      throw error
    }
    state.withLock { $0 = .copying }
    let worker = worker ?? Worker(name: "copy")
    self.worker = worker
    nonisolated(unsafe) let rows = rows
    worker.submit { [state] in
      var end = State.idle
      do throws(ADBCError) {
        try rows.copy(over: connection, into: target)
      } catch {
        end = .failed(error)
      }
      state.withLock { $0 = end }
      state.wakeAll()
    }
  }

  /// Returns when nothing is copied any more; throws why something was not.
  func wait() throws(ADBCError) {
    let failure = state.wait { (state: inout State) -> ADBCError?? in
      switch state {
      case .copying: return nil
      case .idle: return .some(nil)
      case .failed(let error):
        state = .idle
        return .some(error)
      }
    }
    if let failure { throw failure }
  }

  /// Ends the thread.
  func finish() {
    worker?.finish()
    worker = nil
  }
}
