import Glibc
import Hosting
import Paging

/// A file that a result is to be written to: opened at once, so that a long run is not lost to a wrong path, and
/// emptied only when there is something to write.
final class ResultFile {
  private let path: String
  private let file: OutputFile
  /// Made here, and empty so far.
  private var isNew: Bool

  /// Opens a file, or standard output for `-`; what is wrong with it has been shown when it throws.
  init(_ path: String, as form: OutputFile.Form = .lines) throws(RunExit) {
    self.path = path
    isNew = path != "-" && access(path, F_OK) != 0
    do throws(SinkError) {
      file = try OutputFile(path, .kept, as: form)
    } catch {
      standardError("error: \(error.failure.message)")
      throw .output
    }
  }

  /// What was never written leaves no empty file behind.
  deinit { if isNew { unlink(path) } }

  /// Where it is, if it was made here and nothing was written yet.
  var madePath: String? { isNew ? path : nil }

  /// Writes lines or whole texts; each is ended by a line break. What went wrong has been shown when it throws.
  func write(_ texts: some Sequence<String>) throws(RunExit) {
    isNew = false
    if path != "-" { file.empty() }
    for text in texts { file.write(text.hasSuffix("\n") ? text : text + "\n") }
    guard let failure = file.finish() else { return }
    standardError("error: \(failure.message)")
    throw .output
  }
}
