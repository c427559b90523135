import Glibc
import Hosting
import Paging
import Scripting
import Terminal

/// Commands that read and write whole files.
enum FileCommands {
  static func load(_ session: PromptSession, _ path: String) throws(PromptFault) {
    guard !path.isEmpty else { throw PromptFault(":load expects a file") }
    let text = try text(of: path, for: "load")
    session.evaluate(text, name: path) { [unowned session] evaluation in
      if let failure = evaluation.failure { return session.show(failure, of: nil) }
      session.journal.addLoaded(text)
      session.show(evaluation)
    }
  }

  static func reload(_ session: PromptSession) throws(PromptFault) {
    guard let script = session.script else {
      throw PromptFault("no script was given to reload", hint: ":load FILE runs one here.")
    }
    let text = try text(of: script.path, for: "reload")
    session.script = ScriptFile(text: text, path: script.path, folder: script.folder)
    session.runAgain(text) { [unowned session] evaluation in
      if let failure = evaluation.failure { return session.show(failure, of: nil) }
      session.say("reloaded \(script.path)", .dim)
      session.onReload()
    }
  }

  static func save(_ session: PromptSession, _ path: String) throws(PromptFault) {
    guard !path.isEmpty else { throw PromptFault(":save expects a file") }
    let target = PromptPaths.expanded(path)
    let script = SavedSession(session)
    guard !script.isEmpty else { throw PromptFault("there is nothing to save: no line has succeeded yet") }
    var status = stat()
    if lstat(target, &status) == 0 {
      throw PromptFault("\(path) is there already", hint: "Save it under another name.")
    }
    let text = session.voice.redactor.redacted(script.text)
    if let failure = OutputFile.write(text, to: target, .refused) { throw PromptFault(failure.message) }
    session.say("saved \(script.lineCount) line\(script.lineCount == 1 ? "" : "s") as \(path)", .dim)
  }

  static func text(of path: String, for command: String) throws(PromptFault) -> String {
    do throws(TextFileError) {
      return try TextFile.read(PromptPaths.expanded(path))
    } catch {
      throw PromptFault(":\(command) can't read \(path): \(error.reason)")
    }
  }
}

/// `:edit`: the user's own editor.
enum EditCommand {
  /// The user's editor, as a shell command.
  static var editor: String { PromptPaths.variable("VISUAL") ?? PromptPaths.variable("EDITOR") ?? "vi" }

  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    if text.isEmpty {
      let last = session.journal.entries.last { $0.number != nil }?.text ?? ""
      session.nextText = try session.edited(text: last)
    } else if let value = session.workflow.value(at: text), let source = session.workflow.source(of: value) {
      try edit(session, source, named: text)
    } else if access(PromptPaths.expanded(text), F_OK) == 0 {
      try session.openEditor(on: PromptPaths.expanded(text))
    } else {
      throw PromptFault("\(text) is neither a function of a script nor a file")
    }
  }

  /// A function from a file is edited there; a typed one comes back as the next line.
  private static func edit(
    _ session: PromptSession, _ source: FunctionSource, named name: String
  ) throws(PromptFault) {
    guard access(source.name, F_OK) == 0 else {
      session.nextText = try session.edited(text: source.text)
      return
    }
    try session.openEditor(on: source.name, line: source.lines.lowerBound)
    if source.name == session.script?.path { session.say(":reload reads \(source.name) again", .dim) }
  }
}

extension PromptSession {
  /// The text as the person leaves it in their editor.
  func edited(text: String) throws(PromptFault) -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    var name = Array("\(folder)/lookahead-XXXXXX.lua".utf8CString)
    let file = mkstemps(&name, 4)
    guard file >= 0 else { throw PromptFault("no file can be made for the editor: \(systemError())") }
    let path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { unlink(path) }
    let bytes = Array((text + "\n").utf8)
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count
    close(file)
    guard isWritten else { throw PromptFault("the editor's file can't be written: \(systemError())") }
    try openEditor(on: path)
    var edited = try FileCommands.text(of: path, for: "edit")
    while edited.hasSuffix("\n") { edited.removeLast() }
    return edited
  }

  /// Waits until the person leaves the editor.
  func openEditor(on path: String, line: Int = 1) throws(PromptFault) {
    guard console.isLive else { throw PromptFault("there is no terminal for an editor") }
    guard let place = realpath(path, nil) else {
      throw PromptFault(":edit can't open \(path): \(systemError())")
    }
    defer { free(place) }
    var code: Int32 = 127
    console.lend { code = EditorProcess.run(String(cString: place), line: line) }
    guard code == 0 else {
      throw PromptFault(
        "the editor ended with \(code): \(EditCommand.editor)", hint: "Set VISUAL or EDITOR to another one.")
    }
  }
}

/// An external program that uses the terminal for a while. It is started outside the cage.
enum EditorProcess {
  /// Its exit code; 127 if it could not be started.
  static func run(_ path: String, line: Int) -> Int32 {
    // Ctrl-C in the editor is the editor's.
    var (ignoring, before) = (sigaction(), sigaction())
    ignoring.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGINT, &ignoring, &before)
    defer { sigaction(SIGINT, &before, nil) }
    return CageBroker.current?.edit(path, line: line) ?? 127
  }
}
