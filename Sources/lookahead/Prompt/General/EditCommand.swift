import Glibc
import Hosting
import Scripting
import Terminal

/// `:edit`: the person's own editor.
enum EditCommand {
  /// What the person has named, as the shell takes it.
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

  /// A function of a file is edited there; one that was typed comes back as the next line.
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

/// Another program that has the terminal for a while. It is started outside the cage.
enum EditorProcess {
  /// Its exit code; 127 where it could not be started.
  static func run(_ path: String, line: Int) -> Int32 {
    // Ctrl-C in the editor is the editor's.
    var (ignoring, before) = (sigaction(), sigaction())
    ignoring.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGINT, &ignoring, &before)
    defer { sigaction(SIGINT, &before, nil) }
    return CageBroker.current?.edit(path, line: line) ?? 127
  }
}
