public import Paging

/// The destination of a run's items: a file, a directory of files, a database or standard output.
///
/// A sink writes on its own thread, in order of delivery. While little is queued, it answers a delivery immediately;
/// when it falls behind, it answers late, and the run waits. After the first failure nothing more is written, and every
/// delivery is answered with it.
///
/// ```swift
/// let sink = try makeSink(SinkConfiguration(path: "out.ndjson"))
/// let report = sink.finish()
/// ```
public protocol Sink: DeliveryTarget {
  /// Makes what was delivered so far, and all that follows, visible to others, before the end of the run.
  func publish()

  /// A partition, by its id, is not read any further for now: what it has stays for another to go on from.
  func leave(partition id: String)

  /// Writes what is queued, closes the output and reports the result; a second call reports the same. If the run was
  /// not complete, the previous contents stay.
  func finish(_ ending: SinkEnding) -> SinkReport
}

extension Sink {
  /// Finishes a complete output.
  public func finish() -> SinkReport { finish(.whole) }

  /// By default, there is nothing to leave.
  public func leave(partition id: String) {}

  /// By default, nothing is visible before the end.
  public func publish() {}
}

/// How a run ended, for its output.
public enum SinkEnding: Sendable {
  /// It is complete.
  case whole
  /// It failed or was interrupted; each item in it is complete.
  case cut
  /// It was stopped, or met a passing fault, and goes on when it is started again.
  case paused
  /// The output itself could not be written.
  case broken

  /// Whether the run came to an end by itself, so that the next one is another.
  var endsRun: Bool { self == .whole || self == .cut }
}

/// The state of an output whose run was incomplete.
public struct SinkRemains: Sendable, Equatable {
  /// Files with this run's output, next to those they did not replace.
  public var aside: [String] = []
  /// Whether the previous contents were kept.
  public var keepsOld = false
  /// The log with rows that the disk did not let into the file of a database; together they are whole.
  public var log: String?

  /// Nothing to report.
  public init() {}
}

/// The result of a sink.
public struct SinkReport: Sendable, Equatable {
  /// Items written, by stream name.
  public var items: [String: Int] = [:]
  /// Bytes of text written; for a database, the bytes of its items as JSON.
  public var bytes = 0
  /// Why the output is incomplete.
  public var failure: HostFailure?
  /// Whether the disk refused it, so that nothing is wrong with the run.
  public var isDiskFailure = false
  /// Whether a pipe's reader closed it, as `head` does; this is not a failure.
  public var isClosedPipe = false
  /// Whether its end was not waited for, as the run was asked to end.
  public var isGivenUp = false
  /// The state of the output, if the run was incomplete.
  public var remains = SinkRemains()
  /// What was removed, or is only in the output.
  public var changes = SinkChanges()

  /// A report of nothing written.
  public init() {}
}
