import Glibc
public import Paging

/// The part of a sink that writes; used on the sink's thread only.
protocol SinkWriter: AnyObject {
  /// Bytes written, as `SinkReport.bytes` counts them.
  var bytes: Int { get }

  /// Writes one delivery, or nothing of it that counts.
  func write(_ delivery: Delivery) throws(SinkError)

  /// Ends a group of deliveries: when it returns, others see what was written, and a kill does not undo it.
  func commit() throws(SinkError)

  /// Lets others see all that was written and will be, though more is to come: the first reading is complete.
  func publish() throws(SinkError)

  /// Completes the output and lets it go; where the ending is not `whole`, what was there before stays.
  func close(_ ending: SinkEnding) throws(SinkError)

  /// What became of the output, once it is closed.
  var remains: SinkRemains { get }
}

/// Why an output can't be written.
public struct SinkError: Error, Equatable {
  /// In words.
  public let failure: HostFailure
  /// The reader of a pipe went away, as `head` does.
  public let isClosedPipe: Bool
  /// A run in a hurry did not wait for the reader of a pipe: it ends for another reason.
  public let isGivenUp: Bool
  /// The system's error, where it was one.
  let number: Int32?

  init(_ failure: HostFailure) {
    self.failure = failure
    number = nil
    isClosedPipe = false
    isGivenUp = false
  }
}

extension SinkError {
  init(_ error: SystemError, path: String) {
    failure =
      error.number == EBADF
      ? HostFailure(.io, "can't write \(path.escapingControls): it is closed")
      : HostFailure(error, "write", path)
    number = error.number
    isClosedPipe = error.number == EPIPE
    isGivenUp = error.number == ECANCELED
  }
}
