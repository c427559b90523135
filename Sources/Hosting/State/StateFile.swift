import Glibc
import Paging

/// The file beside a text output that has its state, `OUTPUT.state`, and the log of its database. Both are made before the cage
/// is entered, and removed once there is nothing to remember.
final class StateFile {
  let path: String
  private let log: String
  /// Open, since a file can't be emptied by its name in the cage.
  private var files: [FileDescriptor] = []

  /// Makes them for an output, where there are none; nil where they can't be made.
  init?(of output: String) {
    guard let resolved = ResolvedPath(output)?.path else { return nil }
    path = resolved + ".state"
    log = path + "-wal"
    for path in [path, log] {
      guard let file = try? FileDescriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW) else {
        leave()
        return nil
      }
      files.append(file)
    }
  }

  deinit { leave() }

  /// What the cage has to allow, and the broker to remove if it is empty.
  var paths: [String] { [path, log] }

  /// Whether an earlier run has left anything.
  var isEmpty: Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_size == 0
  }

  /// Forgets what is in it.
  func empty() { for file in files { try? file.empty() } }

  /// Removes what is empty; the broker does that where there is one.
  func leave() {
    guard CageBroker.current == nil else { return }
    for path in paths {
      var status = stat()
      if stat(path, &status) == 0, status.st_size == 0 { unlink(path) }
    }
  }
}
