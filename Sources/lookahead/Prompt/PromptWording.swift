import Lua

/// Errors at a prompt: as elsewhere, plus what only a prompt can do about them.
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
