import CSQLite
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
  /// Whether the disk refuses what is written: it is full, or broken, or takes no file of that size.
  public let isDiskFailure: Bool
  /// The system's error number, if any.
  let number: Int32?

  /// An error that has nothing to do with the system.
  public init(_ failure: HostFailure) {
    self.failure = failure
    number = nil
    isDiskFailure = false
    isClosedPipe = false
    isGivenUp = false
  }
}

extension SinkError {
  init(_ error: SystemError, _ action: String = "write", path: String) {
    failure =
      error.number == EBADF
      ? HostFailure(.io, "can't write \(path.escapingControls): it is closed")
      : HostFailure(error, action, path)
    number = error.number
    isClosedPipe = error.number == EPIPE
    isGivenUp = error.number == ECANCELED
    isDiskFailure = [ENOSPC, EDQUOT, EIO, EFBIG, EROFS].contains(error.number)
  }

  /// An error of the database of an output, or of its state.
  init(_ error: any Error, database path: String) {
    failure = HostFailure(error, database: path, showsSQL: false)
    number = nil
    isClosedPipe = false
    isGivenUp = false
    isDiskFailure =
      (error as? DatabaseError).map { [SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN].contains($0.code) }
      ?? false
  }
}
