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
      throw RunExit(unwritten: error)
    }
  }

  /// The program, wrapped to record its calls and events. The header is requested once it has started.
  func recording(
    _ program: Workflow, mask: SecretMask, header: @escaping () -> RecordingHeader
  ) -> RecordingProgram {
    RecordingProgram(
      program, mask: mask, header: header, isInterrupted: { program.failure?.kind == .stopped(.interrupted) }
    ) { [file] in file.write($0) }
  }

  /// Reports an incomplete recording; returns the resulting exit.
  func finish(_ voice: Voice) -> RunExit {
    guard let failure = file.failure else { return .done }
    voice.error("error: --record: \(failure.message); the recording ends before the run did")
    return .output
  }
}

extension RecordingHeader {
  /// The header of a run. Parameters are included with their values only if the script declares them and they are not
  /// secret; `hidden` are values the user declared secret.
  init(_ script: ScriptFile, _ options: WorkflowOptions, _ declared: [DeclaredParameter], hidden: [String]) {
    let open = Set(declared.filter { !$0.isSecret }.map(\.name))
    let closed = Set(declared.filter(\.isSecret).map(\.name))
    let given = options.parameters
    self.init(
      script: script.path, scriptDigest: script.digest, seed: options.seed, startedAt: options.startedAt ?? 0,
      parameters: given.filter { open.contains($0.key) && !hidden.contains($0.value) },
      secrets: given.filter { closed.contains($0.key) || hidden.contains($0.value) }.keys.sorted(),
      concurrency: options.overrides.width.map { Concurrency($0).text },
      usualConcurrency: options.overrides.usualWidth.map { Concurrency($0).text })
  }
}

extension ScriptFile {
  /// SHA-256 of the text, in hexadecimal.
  var digest: String { sha256(Array(text.utf8)).hexadecimal }
}
