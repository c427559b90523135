import Glibc
import Paging

/// What a script wants with a file.
enum FileUse {
  case read, write
  /// To write what is read on the way, as a database: reading needs no grant of its own, but must not be denied.
  case change
}

extension Permissions {
  /// The one way to a file that a script names: what was checked is what `body` gets to open.
  ///
  /// The path is resolved to one without symlinks, and that one is checked. Opened by `FileDescriptor.open(_:_:)` it leads where
  /// it was checked to lead or nowhere: whoever swaps a folder for a symlink in between is met with `ELOOP`, and all of it begins
  /// again, since the symlink may be an honest one.
  func reach<Result>(
    _ path: String, to use: FileUse, for call: String, _ action: String,
    _ body: (ResolvedPath) throws(SystemError) -> Result
  ) throws(HostFailure) -> Result {
    var attempt = 1
    while true {
      let target = try resolve(path, to: use, for: call)
      do throws(SystemError) {
        return try body(target)
      } catch {
        guard error.number == ELOOP, attempt < Permissions.attempts else {
          throw HostFailure(error, action, path)
        }
        attempt += 1
      }
    }
  }

  private func resolve(
    _ path: String, to use: FileUse, for call: String
  ) throws(HostFailure) -> ResolvedPath {
    guard let target = ResolvedPath(path) else {
      throw HostFailure(.invalid, "\"\(path.escapingControls)\" is not a path")
    }
    let refusal =
      switch use {
      case .read: checkRead(target, as: path, for: call)
      case .write: checkWrite(target, as: path, for: call)
      case .change: checkWrite(target, as: path, for: call) ?? checkReadDenial(target, as: path, for: call)
      }
    if let refusal { throw refusal }
    return target
  }

  /// Swaps that are met in a row, each within some microseconds, before the path is given up.
  private static let attempts = 100
}
