import Glibc

/// What the system refuses and nothing goes on without, such as a thread where no more are allowed: the process says so, and ends.
public enum SystemShortage {
  /// Says the message, and ends the process; called on any thread. Set before there is a second one.
  public nonisolated(unsafe) static var endProcess: @Sendable (_ message: String) -> Never = { message in
    preconditionFailure(message)
  }

  /// Ends the process for lack of a thread, a pipe or the like, which the system has refused with that error; `limit` is what may be
  /// too low.
  static func end(without what: String, _ limit: String, error: Int32) -> Never {
    let reason = String(cString: strerror(error))
    endProcess(
      "the system has no \(what): \(reason.prefix(1).lowercased() + reason.dropFirst()) (see \(limit), or what its container may have)"
    )
  }
}
