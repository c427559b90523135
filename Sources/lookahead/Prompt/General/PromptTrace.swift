import Glibc
import Paging
import Scripting
import Terminal
import Text

/// Notes of the machine, on screen or in a file.
final class PromptTrace {
  private let writer: TraceWriter?
  /// In words for the person.
  let target: String

  /// On the screen.
  init() {
    writer = nil
    target = "on the screen"
  }

  /// In a file, as `--trace` writes it.
  init(file: String, _ voice: Voice) throws(PromptFault) {
    let path = PromptPaths.expanded(file)
    guard access(path, F_OK) != 0 else {
      throw PromptFault("\(file) is there already", hint: "Give the name of a new file, or on or off.")
    }
    do throws(RunExit) {
      writer = try TraceWriter(path, voice.redactor)
    } catch {
      throw PromptFault("the trace can't be written to \(file)")
    }
    target = file
  }

  func hear(_ observation: Observation, _ session: PromptSession) {
    if let writer { return writer.write(observation) }
    switch observation {
    case .noted(let source, let note, let at):
      var line = JSONLine()
      line.add(note)
      session.say("\(Amount.decimals(at.seconds, 2)) s  \(source)  \(note.name)  \(line.text)", .dim)
    case .gateNoted(let note, let at):
      var line = JSONLine()
      line.add(note)
      session.say("\(Amount.decimals(at.seconds, 2)) s  \(line.text)", .dim)
    case .printed, .logged, .fetching, .wouldSend: break
    }
  }

  func finish() { writer?.finish() }
}
