import Hosting
import Lua
import Paging
import Scripting

/// What a person does at the prompt: the script's workflow, its world, what was typed so far, and where answers are shown.
final class PromptSession {
  let workflow: Workflow
  let world: World
  let voice: Voice
  let console: any PromptConsole
  var settings: PromptSettings
  /// The script; nil where none was given.
  var script: ScriptFile?
  /// All commands, in the order of the help.
  let commands: [PromptCommand] = PromptCommand.general + PromptCommand.exploring
  /// Where lines are kept for the next session.
  var history: HistoryFile?
  /// What was typed, in order.
  var journal = PromptJournal()
  /// The last failure, and what had been typed.
  var lastFailure: (error: LuaError, text: String?)?
  /// Receives what the machine has to say while that is wanted.
  var trace: PromptTrace?

  /// The real time since the session began.
  var clock: () -> Instant = { .zero }
  /// Shown before the prompt's own text, as `feed@12`; nil or empty is nothing.
  var promptText: () -> String? = { nil }
  /// The source that is explored, by the name of a variable that holds it: `:save` returns it.
  var openedSource: () -> String? = { nil }
  /// What is explored, if anything.
  var explored: ExploredSession?
  /// Called when the script was loaded again: its sources have new handlers.
  var onReload: () -> Void = {}

  /// Whether a signal has asked for the end of the session, and not only of what runs.
  var isAskedToEnd: () -> Bool = { false }

  /// What waits to be run, in order.
  var units: [PromptUnit] = []
  /// Joins lines that come one by one.
  var splitter = InputSplitter()
  /// The text that the next line begins with.
  var nextText = ""
  /// When what runs began, and what was done by then.
  private(set) var began: (at: Instant, statistics: Statistics)?
  /// Lines that the workflow has and has not ended.
  private var evaluations = 0
  /// What stops the work that a command began, while it is under way.
  private var stopWork: (() -> Void)?
  /// Something was asked of the workflow that it was not told of yet.
  private(set) var hasAsked = false
  /// What runs is being stopped by what the loop told.
  private var isStopping = false
  private var hasSignalToCome = false
  /// Whether a line has failed.
  private(set) var hasFailed = false
  private(set) var isLeaving = false
  /// A signal ended it, without a person at the prompt.
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

  /// Whether a line, a command or the script itself is under way.
  var isBusy: Bool { evaluations > 0 || stopWork != nil || workflow.isEvaluating }

  /// Whether a line can be typed.
  var isIdle: Bool { !isBusy && !isLeaving && units.isEmpty && !hasAsked }

  /// Has the workflow told that something was asked of it, when the command or callback that runs is over.
  func wake() { hasAsked = true }

  /// Whether something was asked since the last call.
  func takeAsked() -> Bool {
    defer { hasAsked = false }
    return hasAsked
  }

  /// The next line waits until `release`: a command has begun something that takes time. Ctrl-C calls `stop`, which must
  /// bring about `release`.
  func hold(stop: @escaping () -> Void) {
    begin()
    stopWork = stop
  }

  /// The work of a command is over.
  func release() {
    stopWork = nil
    wake()
  }

  /// Evaluates Lua; the next line waits for it. With a number the first value is kept under it.
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

  /// Loads the script's text again, in the same state.
  func runAgain(_ text: String, _ ended: @escaping (Evaluation) -> Void) {
    begin()
    evaluations += 1
    workflow.runAgain(text: text) { [unowned self] in
      self.ended($0, ended)
    }
    wake()
  }

  /// A line has ended; when a signal has stopped it, the loop is still to tell of that signal.
  private func ended(_ evaluation: Evaluation, _ ended: (Evaluation) -> Void) {
    evaluations -= 1
    if evaluation.failure?.kind == .stopped(.interrupted), !isStopping {
      if console.isLive { hasSignalToCome = true } else { leaveInterrupted() }
    }
    ended(evaluation)
    wake()
  }

  /// Whether the interruption that the loop tells of has already stopped a line.
  func takeSignal() -> Bool {
    defer { hasSignalToCome = false }
    return hasSignalToCome
  }

  /// The person wants what runs to stop, and what waits to be forgotten.
  func stop() {
    units = []
    isStopping = true
    stopWork?()
  }

  /// Ends the session when what runs is over.
  func leave() {
    guard !isLeaving else { return }
    isLeaving = true
    units = []
    workflow.leavePrompt()
    wake()
  }

  /// Ends the session because a signal asks for it.
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

  /// Nothing runs any more.
  func rest() {
    began = nil
    isStopping = false
  }
}
