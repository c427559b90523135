public import Paging
import Synchronization

/// A sink that opens its output with the first delivery, so that a run that brings nothing spoils nothing.
public final class LateSink: Sink {
  private let configuration: SinkConfiguration
  private let hurried = StopFlag()
  private let state = Mutex(State())

  private struct State {
    var sink: (any Sink)?
    var failure: HostFailure?
    var isAbandoned = false
  }

  /// A sink for the configuration; nothing is opened yet.
  public init(_ configuration: SinkConfiguration) { self.configuration = configuration }

  public func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) {
    do throws(HostFailure) {
      try opened().deliver(delivery, reply: reply)
    } catch {
      reply(.failed(error))
    }
  }

  /// The run is to end soon: the reader of a pipe who takes nothing for a second is not waited for any longer. A signal
  /// handler may call it, and any thread.
  public func hurry() { hurried.set() }

  /// The run failed: an output that was not opened stays as it is.
  public func abandon() { state.withLock { $0.isAbandoned = true } }

  /// As every sink; a run that brought nothing and did not fail leaves an empty output.
  public func finish() -> SinkReport {
    let isUntouched = state.withLock { $0.isAbandoned && $0.sink == nil }
    do throws(HostFailure) {
      return isUntouched ? report(state.withLock { $0.failure }) : try opened().finish()
    } catch {
      return report(error)
    }
  }

  private func report(_ failure: HostFailure?) -> SinkReport {
    var report = SinkReport()
    report.failure = failure
    return report
  }

  private func opened() throws(HostFailure) -> any Sink {
    let before = state.withLock { ($0.sink, $0.failure) }
    if let sink = before.0 { return sink }
    if let failure = before.1 { throw failure }
    do throws(HostFailure) {
      let sink = try makeSink(configuration, hurried: hurried)
      state.withLock { $0.sink = sink }
      return sink
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }
}
