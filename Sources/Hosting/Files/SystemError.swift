import Glibc
import Paging

/// What the system answered to a call that failed.
struct SystemError: Error, Equatable {
  let number: Int32

  /// The error of the call that was made last on this thread.
  static var last: SystemError { SystemError(number: errno) }

  /// As `no space left on device`.
  var reason: String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension HostFailure {
  /// As `can't read notes.txt: no such file or directory`, for an action like `read`.
  init(_ error: SystemError, _ action: String, _ path: String) {
    let isMissing = error.number == ENOENT || error.number == ENOTDIR
    self.init(
      isMissing ? .notFound : .io, "can't \(action) \(path.escapingControls): \(error.reason)")
  }
}
