import Glibc
import Items
import Paging

/// The file that has the state of a text output, beside it as `OUTPUT.state` or elsewhere, and the log of its database. Both
/// are made before the cage is entered, and removed once there is nothing to remember.
final class StateFile {
  let path: String
  private let log: String
  /// What the system calls this start of the machine.
  let boot: String
  /// Open, since a file can't be emptied by its name in the cage.
  private var files: [FileDescriptor] = []

  /// Makes them for an output, where there are none; nil where they can't be made. A disk that is full for now is no reason
  /// to forget what they have.
  convenience init?(of output: String) throws(SinkError) {
    guard let resolved = ResolvedPath(output)?.path else { return nil }
    do throws(SinkError) {
      try self.init(path: resolved + ".state")
    } catch {
      if error.isDiskFailure { throw error }
      return nil
    }
  }

  /// Makes them at a path that somebody chose; fails where there is something else.
  convenience init(at given: String) throws(SinkError) {
    if let refusal = StandardStream.refusal(of: given) { throw SinkError(refusal) }
    guard let resolved = ResolvedPath(given)?.path else {
      throw SinkError(SystemError(number: EINVAL), path: given)
    }
    guard StateFile.mayBeState(resolved) else {
      let given = given.escapingControls
      throw SinkError(
        HostFailure(
          .invalid, "--state \(given): there is a file that no run made to remember anything: name another"))
    }
    try self.init(path: resolved)
  }

  private init(path: String) throws(SinkError) {
    self.path = path
    log = path + "-wal"
    boot = (try? WholeFile.read("/proc/sys/kernel/random/boot_id").string) ?? ""
    let isNew = isEmpty
    for path in [path, log] {
      do throws(SinkError) {
        guard let file = try OutputLock.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, shown: path) else {
          throw SinkError(SystemError(number: ENOENT), path: path)
        }
        files.append(file)
      } catch {
        leave()
        throw error
      }
    }
    // A log whose file is gone belongs to nothing.
    if isNew { empty() }
  }

  /// The application id that SQLite has at a place of its own in the first bytes of a state file: "Look".
  static let application = 0x4c6f_6f6b

  /// Whether there is no file, an empty one, or the state of a run; read without opening a database, which begins a thread.
  private static func mayBeState(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return true }
    guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 72, alignment: 1) { header in
      let count = (try? file.read(into: header)) ?? 0
      return count == header.count && header.starts(with: "SQLite format 3\0".utf8)
        && header.suffix(4).reduce(0) { $0 << 8 | Int($1) } == application
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
