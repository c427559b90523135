public import Paging

/// The world of a recorded run: each call gets the answer that an equal call got, after the same delay.
///
/// Equal calls get their answers in recorded order. So a policy that fetches in another order, or less, still gets its
/// answers; what was never recorded fails with the code `notRecorded`.
///
/// ```swift
/// let world = RecordedWorld(recording, mask: mask)
/// let answer = world.answer(call, at: now)
/// ```
public final class RecordedWorld {
  private struct Line {
    var exchanges: ArraySlice<RecordedExchange>
    let count: Int
  }

  private let recording: Recording
  private let mask: SecretMask
  private let deliver: (Delivery) -> HostReply
  private var lines: [[UInt8]: Line] = [:]

  /// The world of the recording. The mask has to know the program's secrets; `deliver` handles the items and returns
  /// the result.
  public init(
    _ recording: Recording, mask: SecretMask = SecretMask(),
    deliver: @escaping (Delivery) -> HostReply = { _ in .done }
  ) {
    self.recording = recording
    self.mask = mask
    self.deliver = deliver
    let groups = Dictionary(grouping: recording.exchanges) { $0.call.key }
    lines = groups.mapValues { Line(exchanges: $0[...], count: $0.count) }
  }

  /// The reply to a call made at this time, and its delay.
  public func answer(_ call: HostCall, at now: Instant) -> (reply: HostReply, after: Duration) {
    let recorded = mask.recorded(call)
    let exchange = lines[recorded.key]?.exchanges.popFirst()
    // The sink is real, but takes as long as the recorded one.
    let delivered = if case .emit(let delivery) = call { deliver(delivery) } else { HostReply.done }
    if case .answered(let reply, let after)? = exchange?.outcome {
      return (delivered == .done ? reply : delivered, after)
    }
    // An answer the recorded run did not wait for must not come before its end.
    let isLate = exchange != nil || recording.isCut
    let wait = isLate ? max(recording.end - now, .zero) + .nanoseconds(1) : .zero
    switch call {
    case .sleep(let duration) where !recording.isCut:
      return (.done, exchange == nil ? duration : max(duration, wait))
    case .close, .emit, .idle: return (delivered, wait)
    case .begin(let request): return (.begun(BegunReading(request)), wait)
    case .beginStep: return (.step(BegunStep(id: 0)), wait)
    case .sleep, .http, .readFile, .writeFile, .fileExists, .listFiles, .openLines, .nextLines, .listPage,
      .openDatabase,
      .connectDatabase, .query, .openRows, .nextRows, .execute, .environment, .read, .request:
      return (.failed(notRecorded(recorded, exchange)), wait)
    }
  }

  /// When a wake requested at this time comes: as late as in the recorded run, or else on time.
  public func wake(at wanted: Instant, asked now: Instant) -> Instant {
    recording.wakes[wanted]?.first { $0 > now } ?? wanted
  }

  private func notRecorded(_ call: RecordedCall, _ exchange: RecordedExchange?) -> HostFailure {
    let count = lines[call.key]?.count ?? 0
    let reason =
      if recording.isCut {
        "the recording was cut after \(recording.end.seconds) s"
      } else if exchange != nil {
        "the recorded run gave it up before the answer came"
      } else if count > 0 {
        "the recorded run asked \(count == 1 ? "once" : "\(count) times")"
      } else {
        "the recorded run never asked"
      }
    return HostFailure(
      .notRecorded,
      "the recording has no answer to \(call.summary): \(reason); record the script again as it is")
  }
}
