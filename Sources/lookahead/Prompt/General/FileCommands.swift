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
