import Foundation

/// A run on a pseudo-terminal, with a person who answers its questions.
struct AskedRun {
  let scratch: Scratch
  let terminal: PseudoTerminal
  /// What a question ends with.
  static let mark = "(the default): "

  /// Types each answer to the next question.
  func answer(_ answers: String...) -> Bool {
    for (index, answer) in answers.enumerated() {
      guard terminal.wait({ Self.questions(in: $0) > index }) else { return false }
      terminal.type((answer + "\n").utf8)
    }
    return true
  }

  /// The exit code, and all that was drawn, with the lines' ends of files.
  func end() -> (code: Int32, text: String) {
    let code = terminal.end()
    return (code, text)
  }

  /// What was drawn so far.
  var text: String {
    String(decoding: terminal.output, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
  }

  /// The lines that say what is wanted.
  var claims: [String] {
    text.split(separator: "\n").filter { $0.contains(" wants to ") }.map(String.init)
  }

  static func questions(in text: String) -> Int { text.components(separatedBy: mark).count - 1 }
}
