public import Paging
import Synchronization

/// A sink that opens its output with the first delivery, so that a run that brings nothing spoils nothing.
public final class LateSink: Sink {
  private let configuration: SinkConfiguration
  private let hurried: StopFlag
  private let state = Mutex(State())

  private struct State {
    var sink: (any Sink)?
    var failure: SinkError?
    var isAbandoned = false
  }

  /// A sink for the configuration; nothing is opened yet. Once the flag is set, the run is to end soon: the reader of a pipe
  /// who takes nothing for a second, or does not come, is not waited for any longer.
  public init(_ configuration: SinkConfiguration, hurried: StopFlag = StopFlag()) {
    self.configuration = configuration
    self.hurried = hurried
  }

  public func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) {
    do throws(SinkError) {
      try opened().deliver(delivery, reply: reply)
    } catch {
      reply(.failed(error.failure))
    }
  }

  /// The run failed: an output that was not opened stays as it is.
  public func abandon() { state.withLock { $0.isAbandoned = true } }

  /// As every sink; a run that brought nothing and did not fail leaves an empty output.
  public func finish() -> SinkReport {
    let isUntouched = state.withLock { $0.isAbandoned && $0.sink == nil }
    do throws(SinkError) {
      return isUntouched ? report(state.withLock { $0.failure }) : try opened().finish()
    } catch {
      return report(error)
    }
  }

  private func report(_ error: SinkError?) -> SinkReport {
    var report = SinkReport()
    report.isClosedPipe = error?.isClosedPipe ?? false
    if let error, !error.isClosedPipe, !error.isGivenUp { report.failure = error.failure }
    return report
  }

  private func opened() throws(SinkError) -> any Sink {
    let before = state.withLock { ($0.sink, $0.failure) }
    if let sink = before.0 { return sink }
    if let failure = before.1 { throw failure }
    do throws(SinkError) {
      let sink = try makeSink(configuration, hurried: hurried)
      state.withLock { $0.sink = sink }
      return sink
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }
}
