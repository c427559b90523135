import Glibc
import Hosting
import Lua
import Terminal
import Text

/// `:wtf`: everything known about the last error.
enum ErrorCommands {
  static func explain(_ session: PromptSession) throws(PromptFault) {
    guard let (error, text) = session.lastFailure else { throw PromptFault("nothing has failed yet") }
    session.say(PromptWording(error, of: session.script).text)
    for (name, value) in error.fields.sorted(by: { $0.key < $1.key }) {
      var line = JSONLine()
      line.add(name, value)
      session.say("  " + String(line.text.dropFirst().dropLast()))
    }
    if let text, error.traceback.isEmpty, !error.message.contains("prompt:") {
      session.say("  typed: \(text.printable)", .dim)
    }
    let texts = [error.message] + error.traceback.split(separator: "\n").map(String.init)
    for place in ErrorPlace.places(in: texts) {
      session.say("")
      session.say("\(place.name):\(place.line)\(place.says)", .bold)
      session.say(place.lines(of: session.text(named: place.name)) ?? "  (its text is not known)")
    }
  }
}

extension PromptSession {
  /// A text by its name in errors: a line, the script, a module, or a loaded file.
  func text(named name: String) -> String? {
    if name.hasPrefix("prompt:") { return Int(name.dropFirst(7)).flatMap { journal.text(of: $0) } }
    if let script, script.path == name { return script.text }
    return access(name, R_OK) == 0 ? try? TextFile.read(name) : nil
  }
}

/// A line of a text that an error names.
struct ErrorPlace: Equatable {
  let name: String
  let line: Int
  /// The text after it, such as ` in function 'f'`.
  var says = ""

  /// Each place once, in order.
  static func places(in texts: [String]) -> [ErrorPlace] {
    var places: [ErrorPlace] = []
    for (number, text) in texts.enumerated() {
      guard var place = ErrorPlace(text.drop(while: \.isWhitespace)) else { continue }
      if number == 0 { place.says = "" }
      if let same = places.firstIndex(where: { $0.name == place.name && $0.line == place.line }) {
        if places[same].says.isEmpty { places[same].says = place.says }
      } else {
        places.append(place)
      }
    }
    return places
  }

  /// Parses `name:line: …`; the name may itself end in a colon and a number, as in `prompt:3`.
  private init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 1, let first = Int(parts[1]), !parts[0].contains("lookahead") else { return nil }
    if parts[0] == "prompt", parts.count > 2, let line = Int(parts[2]) {
      (name, self.line) = ("prompt:\(first)", line)
      says = parts.count > 3 ? String(parts[3]) : ""
    } else {
      (name, line) = (String(parts[0]), first)
      says = parts.count > 2 ? String(parts[2]) + (parts.count > 3 ? ":" + parts[3] : "") : ""
    }
  }

  /// The line with those around it, and a mark before it.
  func lines(of text: String?) -> String? {
    guard let lines = text?.split(separator: "\n", omittingEmptySubsequences: false), line >= 1,
      line <= lines.count
    else { return nil }
    let shown = max(1, line - 2)...min(lines.count, line + 1)
    let width = "\(shown.upperBound)".count
    return shown.map { number in
      let digits = "\(number)".padded(to: width, .right)
      return (number == line ? "> " : "  ") + digits + "  " + lines[number - 1].printable
    }.joined(separator: "\n")
  }
}
