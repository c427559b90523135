import Glibc
import Paging

/// The part of a sink that writes; used on the sink's thread only.
protocol SinkWriter: AnyObject {
  /// Bytes written, as `SinkReport.bytes` counts them.
  var bytes: Int { get }

  /// Writes one delivery, or nothing of it that counts.
  func write(_ delivery: Delivery) throws(SinkError)

  /// Ends a group of deliveries: when it returns, others see what was written, and a kill does not undo it.
  func commit() throws(SinkError)

  /// Completes the output and lets it go.
  func close() throws(SinkError)
}

/// Why a sink can't go on.
struct SinkError: Error {
  let failure: HostFailure
  let isClosedPipe: Bool
  /// A run in a hurry did not wait for the reader of a pipe: it ends for another reason.
  let isGivenUp: Bool

  init(_ failure: HostFailure) {
    self.failure = failure
    isClosedPipe = false
    isGivenUp = false
  }
}

extension SinkError {
  init(_ error: SystemError, path: String) {
    failure = HostFailure(error, "write", path)
    isClosedPipe = error.number == EPIPE
    isGivenUp = error.number == ECANCELED
  }
}
