import Glibc
public import Paging

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
