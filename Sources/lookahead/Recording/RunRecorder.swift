import Hosting
import Lua
import Paging
import Scripting

/// Writes a run's host calls and their answers into a file, for `--replay`.
final class RunRecorder {
  private let file: RecordingFile

  /// Begins the file; an error has been shown when it throws.
  init(_ path: String, hurried: StopFlag = StopFlag()) throws(RunExit) {
    do throws(HostFailure) {
      file = try RecordingFile(path, hurried: hurried)
    } catch {
      standardError("error: --record: \(error.message)")
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

  /// Says so when not all of it could be written, and what that means for the end.
  func finish(_ voice: Voice) -> RunExit {
    guard let failure = file.failure else { return .done }
    voice.error("error: --record: \(failure.message); the recording ends before the run did")
    return .output
  }
}
