import Hosting
import Items
import Lua
import Paging
import Scripting
import Terminal
import Text

/// The state of a prompt: the script's workflow, its world, the inputs so far, and the console.
final class PromptSession {
  let workflow: Workflow
  let world: World
  let voice: Voice
  let console: any PromptConsole
  var settings: PromptSettings
  /// The script; nil if there is none.
  var script: ScriptFile?
  /// All commands, in the order of the help.
  let commands: [PromptCommand] = PromptCommand.general + PromptCommand.exploring
  /// The history for later sessions.
  var history: HistoryFile?
  /// What was typed, in order.
  var journal = PromptJournal()
  /// The last failure, and its input.
  var lastFailure: (error: LuaError, text: String?)?
  /// Receives the machine's notes while enabled.
  var trace: PromptTrace?

  /// The real time since the session began.
  var clock: () -> Instant = { .zero }
  /// Shown before the prompt's own text, such as `feed@12`; may be nil or empty.
  var promptText: () -> String? = { nil }
  /// The explored source, by the name of a variable: `:save` returns it.
  var openedSource: () -> String? = { nil }
  /// What is explored, if anything.
  var explored: ExploredSession?
  /// Called when the script was reloaded: its sources have new handlers.
  var onReload: () -> Void = {}

  /// Whether a signal asked to end the session, not only the running line.
  var isAskedToEnd: () -> Bool = { false }

  /// Queued inputs.
  var units: [PromptUnit] = []
  /// Joins lines that come one by one.
  var splitter = InputSplitter()
  /// The initial text of the next line.
  var nextText = ""
  /// When the running line began, and the counts by then.
  private(set) var began: (at: Instant, statistics: Statistics)?
  /// Unfinished lines of the workflow.
  private var evaluations = 0
  /// Stops the work of a running command.
  private var stopWork: (() -> Void)?
  /// Whether the workflow has to be woken.
  private(set) var hasAsked = false
  /// Whether the running line is being stopped by a signal.
  private var isStopping = false
  private var hasSignalToCome = false
  /// Whether a line has failed.
  private(set) var hasFailed = false
  private(set) var isLeaving = false
  /// Whether a signal ended it, without a user at the prompt.
  private(set) var isInterrupted = false

  init(
    _ workflow: Workflow, world: World, voice: Voice, console: any PromptConsole, script: ScriptFile?,
    settings: PromptSettings
  ) {
    self.workflow = workflow
    self.world = world
    self.voice = voice
    self.console = console
    self.script = script
    self.settings = settings
  }

  /// Whether a line, a command or the script itself is running.
  var isBusy: Bool { evaluations > 0 || stopWork != nil || workflow.isEvaluating }

  /// Whether a line can be typed.
  var isIdle: Bool { !isBusy && !isLeaving && units.isEmpty && !hasAsked }

  /// Wakes the workflow when the running command or callback is over.
  func wake() { hasAsked = true }

  /// Whether a wake was requested since the last call.
  func consumeWake() -> Bool {
    defer { hasAsked = false }
    return hasAsked
  }

  /// Holds the next line until `release`: a command has started something that takes time. Ctrl-C calls `stop`, which
  /// must lead to `release`.
  func hold(stop: @escaping () -> Void) {
    begin()
    stopWork = stop
  }

  /// The work of a command is over.
  func release() {
    stopWork = nil
    wake()
  }

  /// Evaluates Lua; the next line waits for it. With a number, the first value is kept under it.
  func evaluate(
    _ text: String, name: String, line: Int = 1, number: Int? = nil,
    _ ended: @escaping (Evaluation) -> Void
  ) {
    begin()
    evaluations += 1
    workflow.evaluate(text, name: name, line: line, number: number) { [unowned self] in
      self.ended($0, ended)
    }
    wake()
  }

  /// Reloads the script's text into the same state.
  func runAgain(_ text: String, _ ended: @escaping (Evaluation) -> Void) {
    begin()
    evaluations += 1
    workflow.runAgain(text: text) { [unowned self] in
      self.ended($0, ended)
    }
    wake()
  }

  /// Handles the end of a line; if a signal stopped it, the loop has yet to report that signal.
  private func ended(_ evaluation: Evaluation, _ ended: (Evaluation) -> Void) {
    evaluations -= 1
    if evaluation.failure?.kind == .stopped(.interrupted), !isStopping {
      if console.isLive { hasSignalToCome = true } else { leaveInterrupted() }
    }
    ended(evaluation)
    wake()
  }

  /// Whether the interruption reported by the loop has already stopped a line.
  func consumeSignal() -> Bool {
    defer { hasSignalToCome = false }
    return hasSignalToCome
  }

  /// Stops what is running and drops queued inputs.
  func stop() {
    units = []
    isStopping = true
    stopWork?()
  }

  /// Ends the session when the running line is over.
  func leave() {
    guard !isLeaving else { return }
    isLeaving = true
    units = []
    workflow.leavePrompt()
    wake()
  }

  /// Ends the session because of a signal.
  func leaveInterrupted() {
    isInterrupted = true
    stop()
    leave()
  }

  /// Something did not succeed.
  func noteFailure() { hasFailed = true }

  /// What runs begins now, for those who wait for it.
  private func begin() {
    if began == nil { began = (clock(), workflow.statistics) }
  }

  /// Nothing is running any more.
  func rest() {
    began = nil
    isStopping = false
  }
}

/// What is typed, and what is done with it.
extension PromptSession {
  /// Handles what was typed.
  func handle(_ input: ConsoleInput) {
    switch input {
    case .whole(let text): enqueueWhole(text)
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

  /// Opens the text in the user's editor; the result is the next line, or the text itself if that fails.
  private func editElsewhere(_ text: String) {
    nextText = text
    do throws(PromptFault) {
      nextText = try edited(text: text)
    } catch {
      show(error)
    }
  }

  /// Input of a line editor: one unit, unless it contains commands or is valid only line by line.
  private func enqueueWhole(_ text: String) {
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

  /// The individual lines; nil if the first of them is already invalid.
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

  /// Runs the next queued input, or asks for more.
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
      journal.finish(number, evaluation)
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

  /// The command with that name or unique prefix.
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

  /// After a failure the rest of a multi-line input is dropped; in a pipe only if requested.
  private func failed() {
    if console.isLive { units = [] }
    if settings.stopsOnError { leave() }
  }
}

extension PromptSession {
  /// The prompt text: `3> `, preceded by the exploration.
  var prompt: PromptText {
    if splitter.isPending { return PromptText(first: dots(2), continuation: dots(2)) }
    let place = promptText().flatMap { $0.isEmpty ? nil : $0.printable + " " } ?? ""
    let number = "\(journal.nextNumber)"
    let look = isColored ? Style(isBold: true, color: .cyan) : .plain
    let first = StyledText(place + number + ">", look) + " "
    return PromptText(first: first, continuation: dots(place.cellWidth + number.count + 1))
  }

  private func dots(_ count: Int) -> StyledText {
    StyledText(String(repeating: ".", count: count), isColored ? .dim : .plain) + " "
  }
}

/// What a person sets with `:set`.
struct PromptSettings {
  /// How values are printed; the width is the terminal's unless set.
  var style = PrintStyle()
  var width: Int?
  /// In a pipe, whether the first failing line ends it.
  var stopsOnError = false
}

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

  /// Shows text above the prompt; masks secrets and keeps the printer's colours.
  func say(_ text: String) {
    let text = voice.redactor.redacted(text)
    console.write(isColored ? StyledText(marked: text) : StyledText(text))
  }

  /// Shows uncoloured text in one style.
  func say(_ text: String, _ look: Style) {
    console.write(StyledText(voice.redactor.redacted(text), isColored ? look : .plain))
  }

  /// Shows the result of a line.
  func show(_ evaluation: Evaluation) {
    guard !evaluation.isHidden else { return }
    for (place, value) in evaluation.values.enumerated() {
      if value.typeName == "nil" && evaluation.values.count == 1 && !evaluation.isExpression { continue }
      let name = place == 0 ? "_" : "_\(place + 1)"
      say(workflow.text(of: value, named: name, style: style))
    }
  }

  /// Shows an error, and keeps it for `:wtf`; `text` is the input.
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

  /// Writes to the error output, in red if colours are enabled.
  func complain(_ text: String) {
    let text = HarmlessText.cut(voice.redactor.redacted(text), to: Wording.longest)
    guard isColored, text.hasPrefix("error:") else { return console.complain(StyledText(text)) }
    console.complain(
      StyledText("error:", Style(isBold: true, color: .red)) + StyledText(String(text.dropFirst(6))))
  }

  /// Handles the script's output and the machine's notes.
  func hear(_ observation: Observation) {
    trace?.hear(observation, self)
    switch observation {
    case .printed(let text): say(text, .plain)
    case .logged, .gateNoted, .noted, .fetching, .wouldSend: voice.say(observation)
    }
  }
}
