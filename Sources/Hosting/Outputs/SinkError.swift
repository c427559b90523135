import Glibc
public import Paging

/// Why an output can't be written.
public struct SinkError: Error, Equatable {
  /// The error in words.
  public let failure: HostFailure
  /// Whether a pipe's reader closed it, as `head` does.
  public let isClosedPipe: Bool
  /// Whether a run about to end did not wait for a pipe's reader.
  public let isGivenUp: Bool
  /// The system's error number, if any.
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
