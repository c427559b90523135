public import Paging
import Synchronization

/// A sink to an open output. A pipe or a device is opened with the first delivery, so that nothing blocks before there
/// is something to write.
public final class LateSink: Sink {
  /// Passed on to the sink, which uses it on its own thread.
  private nonisolated(unsafe) let place: OutputPlace
  private let hurried: StopFlag
  private let state = Mutex(State())

  private struct State {
    var sink: (any Sink)?
    var failure: SinkError?
  }

  /// A sink for the place. Once the flag is set, the run is to end soon: a pipe's reader that stalls for a second, or
  /// does not come, is no longer waited for.
  public init(_ place: OutputPlace, hurried: StopFlag = StopFlag()) {
    self.place = place
    self.hurried = hurried
  }

  /// Opens what can be opened without blocking, so that errors are found before the run.
  public func prepare() throws(SinkError) {
    if !place.opensLate { _ = try opened() }
  }

  public func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? {
    do throws(SinkError) {
      return try opened().accept(delivery, reply: reply)
    } catch {
      return .failed(error.failure)
    }
  }

  public func begin(_ request: ReadingRequest, reply: @escaping @Sendable (HostReply) -> Void) {
    do throws(SinkError) {
      try opened().begin(request, reply: reply)
    } catch {
      reply(.failed(error.failure))
    }
  }

  public func begin(step key: String, _ parameters: String, reply: @escaping @Sendable (HostReply) -> Void) {
    do throws(SinkError) {
      try opened().begin(step: key, parameters, reply: reply)
    } catch {
      reply(.failed(error.failure))
    }
  }

  public func publish() { state.withLock { $0.sink }?.publish() }

  public func leave(partition id: String) { state.withLock { $0.sink }?.leave(partition: id) }

  /// As for every sink; a run without items that did not fail leaves an empty output.
  public func finish(_ ending: SinkEnding) -> SinkReport {
    let isUntouched = state.withLock { ending != .whole && $0.sink == nil }
    do throws(SinkError) {
      return isUntouched ? report(state.withLock { $0.failure }) : try opened().finish(ending)
    } catch {
      return report(error)
    }
  }

  private func report(_ error: SinkError?) -> SinkReport {
    var report = SinkReport()
    report.isClosedPipe = error?.isClosedPipe ?? false
    report.isDiskFailure = error?.isDiskFailure ?? false
    if let error, !error.isClosedPipe, !error.isGivenUp { report.failure = error.failure }
    return report
  }

  private func opened() throws(SinkError) -> any Sink {
    let before = state.withLock { ($0.sink, $0.failure) }
    if let sink = before.0 { return sink }
    if let failure = before.1 { throw failure }
    do throws(SinkError) {
      let sink = try makeSink(place, hurried: hurried)
      state.withLock { $0.sink = sink }
      return sink
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }
}
