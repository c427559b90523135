public import Paging

/// Where a run's items end: a file, a folder of files, a database or standard output.
///
/// A sink writes on a thread of its own and in the order of the deliveries. While little waits to be written, it answers
/// a delivery at once; when it falls behind, it answers late, and the run waits. After the first failure nothing more is
/// written, and every delivery is answered with it.
public protocol Sink: DeliveryTarget {
  /// Writes what waits, closes the output and says what came of it; a second time says the same.
  func finish() -> SinkReport
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

  /// A report of nothing written.
  public init() {}
}
