public import Paging

/// Where a run's items end: a file, a folder of files, a database or standard output.
///
/// A sink writes on a thread of its own and in the order of the deliveries. While little waits to be written, it answers
/// a delivery at once; when it falls behind, it answers late, and the run waits. After the first failure nothing more is
/// written, and every delivery is answered with it.
public protocol Sink: DeliveryTarget {
  /// Lets others see what was delivered so far, and what will be, though more is to come.
  func publish()

  /// Writes what waits, closes the output and reports the result; a second call reports the same. Where the run did not come
  /// to its end, what was there before stays.
  func finish(_ ending: SinkEnding) -> SinkReport
}

extension Sink {
  /// Finishes an output that is complete.
  public func finish() -> SinkReport { finish(.whole) }

  /// Nobody sees anything earlier.
  public func publish() {}
}

/// How a run ended, for its output.
public enum SinkEnding: Sendable {
  /// All is there that was asked for.
  case whole
  /// It failed or was interrupted; each item that is there is whole.
  case cut
  /// The output itself could not be written.
  case broken
}

/// The state of an output whose run did not complete.
public struct SinkRemains: Sendable, Equatable {
  /// Files with what this run has written, beside those whose places they did not take.
  public var aside: [String] = []
  /// Whether there were any before.
  public var keepsOld = false
  /// Whether what this run has written is gone, and the output as it was.
  public var isUndone = false

  /// Nothing to report.
  public init() {}
}

/// What a sink has written.
public struct SinkReport: Sendable, Equatable {
  /// Items written, by the name of their stream.
  public var items: [String: Int] = [:]
  /// Bytes of text written, or for a database the bytes of its items as JSON.
  public var bytes = 0
  /// Why it is not all there.
  public var failure: HostFailure?
  /// Whether the reader of a pipe went away, as `head` does; nobody is left to miss the rest, so this is no failure.
  public var isClosedPipe = false
  /// The state of the output, where the run did not complete.
  public var remains = SinkRemains()

  /// A report of nothing written.
  public init() {}
}
