import Hosting
import Lua
import Paging
import Scripting

/// Writes a run's host calls and their answers into a file, for `--replay`.
final class RunRecorder {
  private let path: String
  private let file: RecordingFile

  /// Begins the file; an error has been shown when it throws.
  init(_ path: String) throws(RunExit) {
    self.path = path
    do throws(HostFailure) {
      file = try RecordingFile(path)
    } catch {
      standardError("error: --record \(path): \(error.message)")
      throw .output
    }
  }

  /// The program, writing down what it asks and is told. The header is asked for when it has started.
  func recording(
    _ program: Workflow, mask: SecretMask, header: @escaping () -> RecordingHeader
  ) -> RecordingProgram {
    RecordingProgram(
      program, mask: mask, header: header, isInterrupted: { program.failure?.kind == .stopped(.interrupted) }
    ) { [file] in file.write($0) }
  }

  /// Says so when not all of it could be written.
  func finish(_ voice: Voice) {
    if let failure = file.failure {
      voice.error("error: --record \(path): \(failure.message); the recording ends before the run did")
    }
  }
}
