import Lua
import Scripting
import Terminal

/// What is typed, and what is done with it.
extension PromptSession {
  /// Takes what the console took in.
  func take(_ input: ConsoleInput) {
    switch input {
    case .whole(let text): takeWhole(text)
    case .line(let line, let number):
      let unit = splitter.add(line, number: number) { workflow.completeness(of: $0) }
      if let unit { units.append(unit) }
    case .unreadable(let number):
      show(PromptFault("stdin:\(number): the line is no text in UTF-8", hint: "It was left out."))
      failed()
    case .openEditor(let text): editElsewhere(text)
    case .end:
      if let unit = splitter.finish() { units.append(unit) } else { leave() }
    }
  }

  /// Has the person go on in their editor; what they leave is the next line, or what was typed where that fails.
  private func editElsewhere(_ text: String) {
    nextText = text
    do throws(PromptFault) {
      nextText = try edited(text: text)
    } catch {
      show(error)
    }
  }

  /// An input of a line editor: one piece, unless commands are among its lines or only its lines make sense one by one.
  private func takeWhole(_ text: String) {
    guard !text.allSatisfy(\.isWhitespace) else { return }
    let kept = voice.redactor.redacted(text)
    if console.remember(kept) { history?.append(kept) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count == 1, InputSplitter.isCommand(text) {
      units.append(PromptUnit(text: text, line: 1, isCommand: true))
    } else if lines.count == 1 || workflow.completeness(of: text) == .complete {
      units.append(PromptUnit(text: text, line: 1, isCommand: false))
    } else {
      units += split(lines) ?? [PromptUnit(text: text, line: 1, isCommand: false)]
    }
  }

  /// The lines one by one; nil where the first of them already make no sense.
  private func split(_ lines: [String]) -> [PromptUnit]? {
    var splitter = InputSplitter()
    var units: [PromptUnit] = []
    for (number, line) in lines.enumerated() {
      let unit = splitter.add(line, number: number + 1) { workflow.completeness(of: $0) }
      if let unit { units.append(unit) }
    }
    if let unit = splitter.finish() { units.append(unit) }
    guard let first = units.first, first.isCommand || workflow.completeness(of: first.text) == .complete
    else {
      return nil
    }
    return units
  }

  /// Does what can be done now: the next of what waits, or asking for more.
  func advance() {
    while !isBusy, !isLeaving, !hasAsked, !units.isEmpty {
      rest()
      run(units.removeFirst())
    }
  }

  private func run(_ unit: PromptUnit) {
    guard !unit.isCommand else { return runCommand(unit.text) }
    let number = journal.add(unit.text)
    let name = console.isLive ? "prompt:\(number)" : "stdin"
    evaluate(unit.text, name: name, line: console.isLive ? 1 : unit.line, number: number) {
      [unowned self] evaluation in
      journal.end(number, evaluation)
      if let failure = evaluation.failure {
        show(failure, of: unit.text)
        failed()
      } else {
        show(evaluation)
      }
    }
  }

  private func runCommand(_ text: String) {
    journal.add(command: text)
    let words = text.drop(while: \.isWhitespace).dropFirst()
    let name = String(words.prefix { !$0.isWhitespace })
    let rest = words.dropFirst(name.count).drop(while: \.isWhitespace)
    let argument = String(rest.reversed().drop(while: \.isWhitespace).reversed())
    do throws(PromptFault) {
      let command = try command(name)
      if command.usage.isEmpty && !argument.isEmpty {
        throw PromptFault(":\(command.name) takes nothing, got \(argument)")
      }
      try command.run(self, argument)
    } catch {
      journal.failLastCommand()
      show(error)
      failed()
    }
  }

  /// The command of that name, or of the only one that begins so.
  func command(_ name: String) throws(PromptFault) -> PromptCommand {
    if let command = commands.first(where: { $0.name == name || $0.aliases.contains(name) }) {
      return command
    }
    let beginning = commands.filter { $0.name.hasPrefix(name) && !name.isEmpty }
    if beginning.count == 1 { return beginning[0] }
    guard beginning.isEmpty else {
      throw PromptFault(
        "there are several commands :\(name)…", hint: beginning.map { ":" + $0.name }.joined(separator: " "))
    }
    let nearest = NearestName.of(name, in: commands.flatMap { [$0.name] + $0.aliases })
    throw PromptFault(
      "there is no command :\(name)", hint: (nearest.map { "Is it :\($0)? " } ?? "") + ":? lists them all.")
  }

  /// After a failure the rest of what was typed at once is not run; in a pipe only where that was asked for.
  private func failed() {
    if console.isLive { units = [] }
    if settings.stopsOnError { leave() }
  }
}
