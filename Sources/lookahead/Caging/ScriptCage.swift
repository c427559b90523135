import Glibc
import Hosting
import Serving

/// Entering the cage, for commands that load a script: done before its first line is loaded, and while there is a
/// single thread.
struct ScriptCage {
  private var cage: Cage
  private var files = CageFiles()
  private var editor: String?
  /// Whether a person is asked, where there is a terminal, for what no option allows.
  var asks = false

  /// What the permissions grant to a script in that folder.
  init(_ permissions: Permissions, scriptFolder: String) {
    cage = Cage(permissions, scriptFolder: scriptFolder)
  }

  /// A cage to load scripts without further rights: these directories and files are readable.
  init(loading scripts: [String]) {
    cage = Cage()
    cage.reading = .only(scripts + scripts.map { ScriptFile.folder(of: $0) })
  }

  /// The cage of a prompt, whose user may grant more; the editor runs outside.
  init(promptEditor editor: String?) {
    cage = .ofPrompt
    self.editor = editor
  }

  /// Grants a file that the command reads later.
  mutating func read(_ path: String?) {
    if let path { cage.reading = cage.reading.with([path]) }
  }

  /// Grants a file that the command writes later.
  mutating func write(_ path: String?) {
    if let path { files.add(path) }
  }

  /// Grants a file the command has opened, and possibly created.
  mutating func opened(_ file: ResultFile?) {
    if let path = file?.madePath { files.add(made: path) }
  }

  /// Where items go.
  mutating func write(_ output: OutputPlace) { files.add(output) }

  /// Enters the cage. Missing kernel features are shown at debug level; if the kernel supports a cage that can't be
  /// entered, nothing runs.
  /// Returns the net that is left.
  @discardableResult
  func enter(telling voice: Voice? = nil) throws(RunExit) -> CageNet {
    do throws(CageFailure) {
      var duties = files.duties
      duties.editor = editor
      if !duties.isEmpty { try CageBroker.start(duties) }
      let asks = asks && Asker.isPossible
      if asks { try Asker.start() }
      if Self.isLeftOut {
        voice?.debug("the kernel's cage is left out: LOOKAHEAD_CAGE is off")
        return Cage.ofPrompt.net
      }
      var cage = cage
      if asks { cage.net = cage.net.takingConnections }
      files.grant(in: &cage)
      let kernel = try cage.enter()
      for lack in kernel.lacks { voice?.debug("the kernel's cage is not whole: \(lack)") }
      return kernel.isSanitized ? Cage.ofPrompt.net : cage.net
    } catch {
      standardError(
        "error: the kernel's cage can't be entered: \(error.step): \(error.reason)\n"
          + "  expected a process with one thread and no cage of another kind; LOOKAHEAD_CAGE=off runs without it"
      )
      Self.leave()
      throw .failed
    }
  }

  /// Enters the cage of a process beside that of the script, which has opened all that it needs: no files, no programs, and no
  /// other connections than these.
  static func enclose(_ net: CageNet) throws(SideProcess.Failure) {
    #if DEBUG
      let results = CageProbe.openFile()
      defer { CageProbe.run(into: results) }
    #endif
    guard !isLeftOut else { return }
    do throws(CageFailure) { try Cage(net: net).enter() } catch {
      throw SideProcess.Failure(number: EPERM, cage: "\(error.step): \(error.reason)")
    }
  }

  /// Ends the processes outside; results that never came leave no empty files.
  static func leave() {
    Asker.current?.finish()
    CageBroker.current?.finish()
  }

  /// Whether the environment disables the cage, as debuggers may require: this removes the protection against holes in
  /// the checks.
  static var isLeftOut: Bool { getenv("LOOKAHEAD_CAGE").map { String(cString: $0) == "off" } ?? false }
}
