import Glibc
import Hosting

/// The way into the cage, for commands that load a script: called before the first line of it is loaded, and before there is a
/// second thread.
struct ScriptCage {
  private var cage: Cage
  private var files = CageFiles()
  private var editor: String?

  /// What the permissions grant to a script in that folder.
  init(_ permissions: Permissions, scriptFolder: String) {
    cage = Cage(permissions, scriptFolder: scriptFolder)
  }

  /// A cage in which scripts are loaded, and get nothing: what is in these folders, and these files, can be read.
  init(loading scripts: [String]) {
    cage = Cage()
    cage.reading = .only(scripts + scripts.map { ScriptFile.folder(of: $0) })
  }

  /// The cage of a prompt, where a person may grant more; the editor is run outside.
  init(promptEditor editor: String?) {
    cage = .ofPrompt
    self.editor = editor
  }

  /// A file that the command reads later.
  mutating func read(_ path: String?) {
    if let path { cage.reading = cage.reading.with([path]) }
  }

  /// A file that the command writes later.
  mutating func write(_ path: String?) {
    if let path { files.add(path) }
  }

  /// A file that the command has opened, and made if it was not there.
  mutating func opened(_ file: ResultFile?) {
    if let path = file?.madePath { files.add(made: path) }
  }

  /// Where items go.
  mutating func write(_ output: OutputPlace) { files.add(output) }

  /// Enters the cage. What the kernel lacks of it is shown to those who look for it; where the kernel has a cage that can't be
  /// entered, nothing is run.
  func enter(telling voice: Voice? = nil) throws(RunExit) {
    do throws(CageFailure) {
      var duties = files.duties
      duties.editor = editor
      if !duties.isEmpty { try CageBroker.start(duties) }
      if Self.isLeftOut {
        voice?.debug("the kernel's cage is left out: LOOKAHEAD_CAGE is off")
        return
      }
      var cage = cage
      files.grant(in: &cage)
      for lack in try cage.enter().lacks { voice?.debug("the kernel's cage is not whole: \(lack)") }
    } catch {
      standardError(
        "error: the kernel's cage can't be entered: \(error.step): \(error.reason)\n"
          + "  expected a process with one thread and no cage of another kind; LOOKAHEAD_CAGE=off runs without it"
      )
      Self.leave()
      throw .failed
    }
  }

  /// Ends what was started with the cage; results that never came leave no empty files behind.
  static func leave() { CageBroker.current?.finish() }

  /// Whether the environment asks for no cage, which debuggers may need: it takes away what holds when a check has a hole.
  static var isLeftOut: Bool { getenv("LOOKAHEAD_CAGE").map { String(cString: $0) == "off" } ?? false }
}
