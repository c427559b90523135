import Glibc
import Hosting
import Paging

/// A result file: opened early, so that a long run is not lost to a wrong path, and truncated only when there is
/// something to write.
final class ResultFile {
  private let path: String
  private let file: OutputFile
  /// Made here, and empty so far.
  private var isNew: Bool

  /// Opens a file, or the standard stream of that name; errors have been shown when it throws.
  init(_ path: String, as form: OutputFile.Form = .lines) throws(RunExit) {
    self.path = path
    isNew = StandardStream(path: path) == nil && access(path, F_OK) != 0
    do throws(SinkError) {
      file = try OutputFile(path, .kept, as: form)
    } catch {
      standardError("error: \(error.failure.message)")
      throw RunExit(unwritten: error.failure)
    }
  }

  /// Removes the file if it was created and never written.
  deinit { if isNew { unlink(path) } }

  /// Its path, if created here and still empty.
  var madePath: String? { isNew ? path : nil }

  /// Writes lines or whole texts, each ended by a line end. Errors have been shown when it throws.
  func write(_ texts: some Sequence<String>) throws(RunExit) {
    isNew = false
    file.empty()
    for text in texts { file.write(text.hasSuffix("\n") ? text : text + "\n") }
    guard let failure = file.finish() else { return }
    standardError("error: \(failure.message)")
    throw .output
  }
}
