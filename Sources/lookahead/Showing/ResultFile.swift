import Glibc

/// A file that a result is to be written to: opened at once, so that a long run is not lost to a wrong path, and
/// emptied only when there is something to write.
final class ResultFile {
  private let path: String
  private let descriptor: Int32
  /// Made here, and empty so far.
  private var isNew: Bool

  /// Opens a file, or standard output for `-`; what is wrong with it has been shown when it throws.
  init(_ path: String) throws(RunExit) {
    self.path = path
    isNew = path != "-" && access(path, F_OK) != 0
    descriptor = path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw Self.failure(path) }
  }

  /// What was never written leaves no empty file behind.
  deinit {
    close(descriptor)
    if isNew { unlink(path) }
  }

  /// Where it is, if it was made here and nothing was written yet.
  var madePath: String? { isNew ? path : nil }

  /// Writes lines or whole texts; each is ended by a line break.
  func write(_ texts: some Sequence<String>) throws(RunExit) {
    isNew = false
    // A pipe or a device has no length, and needs none.
    if path != "-" { _ = ftruncate(descriptor, 0) }
    guard let file = fdopen(dup(descriptor), "w") else { throw Self.failure(path) }
    var isBroken = false
    for text in texts {
      isBroken = fputs(text.hasSuffix("\n") ? text : text + "\n", file) < 0 || isBroken
    }
    isBroken = fclose(file) != 0 || isBroken
    if isBroken { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> RunExit {
    standardError("error: can't write \(path): \(systemError())")
    return .output
  }
}
