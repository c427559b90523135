import Hosting
import Items
import Lua
import Scripting
import Terminal
import Text

/// What a person sees.
extension PromptSession {
  /// How values are shown now.
  var style: PrintStyle {
    var style = settings.style
    style.width = settings.width ?? console.size.columns
    style.cellWidth = { $0.cellWidth }
    return style
  }

  var isColored: Bool { settings.style.isColored }

  /// Shows text, one line or many, above the prompt; secrets are masked, and the colours of the printer stay.
  func say(_ text: String) {
    let text = voice.redactor.redacted(text)
    console.write(isColored ? StyledText(marked: text) : StyledText(text))
  }

  /// Shows text that has no colours, in one.
  func say(_ text: String, _ look: Style) {
    console.write(StyledText(voice.redactor.redacted(text), isColored ? look : .plain))
  }

  /// Shows what a line gave.
  func show(_ evaluation: Evaluation) {
    guard !evaluation.isHidden else { return }
    for (place, value) in evaluation.values.enumerated() {
      if value.typeName == "nil" && evaluation.values.count == 1 && !evaluation.isExpression { continue }
      let name = place == 0 ? "_" : "_\(place + 1)"
      say(workflow.text(of: value, named: name, style: style))
    }
  }

  /// Shows an error, and keeps it for `:wtf`; `text` is what was typed.
  func show(_ error: LuaError, of text: String?) {
    noteFailure()
    lastFailure = (error, text)
    complain(PromptWording(error, of: script).text)
  }

  /// Shows why a command did nothing.
  func show(_ fault: PromptFault) {
    noteFailure()
    complain("error: \(fault.message)" + (fault.hint.map { "\n  \($0)" } ?? ""))
  }

  /// Writes where errors go, in red where there are colours.
  func complain(_ text: String) {
    let text = HarmlessText.cut(voice.redactor.redacted(text), to: Wording.longest)
    guard isColored, text.hasPrefix("error:") else { return console.complain(StyledText(text)) }
    console.complain(
      StyledText("error:", Style(isBold: true, color: .red)) + StyledText(String(text.dropFirst(6))))
  }

  /// What a script prints or logs, and what the machine notes.
  func hear(_ observation: Observation) {
    trace?.hear(observation, self)
    switch observation {
    case .printed(let text): say(text, .plain)
    case .logged, .gateNoted, .noted, .wouldSend: voice.say(observation)
    }
  }
}

/// Errors at a prompt: as elsewhere, but for what only a prompt can do about them.
struct PromptWording {
  private let error: LuaError
  private let script: ScriptFile?

  init(_ error: LuaError, of script: ScriptFile?) {
    self.error = error
    self.script = script
  }

  var text: String {
    switch error.kind {
    case .stopped(.interrupted): return "interrupted"
    case .stopped(.time):
      return "error: \(place)the line computed longer than it may without waiting"
        + "\n  :limits shows how long that is, :limits time=60s allows more."
    case .stopped(.memory):
      return "error: \(place)the script needs more memory than it may have"
        + "\n  :limits shows how much that is, :limits memory=2GB allows more."
    case .syntax, .conversion, .stopped, .runtime:
      let text = Wording(error, of: script ?? ScriptFile(text: "", path: "prompt", folder: ".")).text
      return text.replacing("(allow it with --allow-", with: "(allow it with :grant ")
    }
  }

  private var place: String {
    let line = error.traceback.split(separator: "\n").first {
      !$0.contains("lookahead:") && !$0.contains("[C]")
    }
    guard let line = line?.drop(while: \.isWhitespace), let end = line.firstIndex(of: " ") else { return "" }
    return "\(line[..<end]) "
  }
}
