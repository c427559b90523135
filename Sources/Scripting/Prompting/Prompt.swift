import Lua
import Paging

/// The user's lines, evaluated in the script's own state and sandbox: one after another, each a task.
final class Prompt: TaskSupervisor {
  private let prelude: Prelude
  private let turn: Turn
  private let scheduler: Scheduler
  private let fetches: FetchHost
  private let run: RunState
  private let declaring: DeclaringLibrary
  private let limits: LineLimits
  private let settings: RequestSettings
  let globals: SessionGlobals
  let options: PromptOptions
  /// Unfinished lines; the first is running.
  private var lines: [PromptLine] = []
  /// What the script returned.
  private(set) var returned: [PromptValue] = []
  /// Whether a line has left much garbage.
  private var wantsCollection = false

  /// `settings` apply to requests outside of any source.
  init(
    _ prelude: Prelude, _ turn: Turn, _ scheduler: Scheduler, _ fetches: FetchHost, _ run: RunState,
    _ declaring: DeclaringLibrary, _ limits: LineLimits, settings: RequestSettings, _ options: PromptOptions
  ) {
    self.prelude = prelude
    self.turn = turn
    self.scheduler = scheduler
    self.fetches = fetches
    self.run = run
    self.declaring = declaring
    self.limits = limits
    self.settings = settings
    self.options = options
    globals = SessionGlobals(prelude, scheduler)
    scheduler.supervisor = self
    run.divert = { [unowned self] in self.options.failed($0) }
    declaring.keepText = { [globals] in globals.keep($0, name: $1) }
  }

  private var state: LuaState { prelude.state }

  /// The running line.
  private var current: PromptLine? { lines.first.flatMap { $0.begun == nil ? nil : $0 } }

  /// Whether a line is running.
  var isBusy: Bool { current != nil }

  /// Whether a line, or the script itself, is unfinished.
  var isEvaluating: Bool { !lines.isEmpty }

  /// Whether the text can be evaluated: as an expression, as statements, or as the beginning of either. It ends a line,
  /// so a quoted string can't continue after it.
  func completeness(of text: String) -> Completeness {
    guard scheduler.running == nil else { return .complete }
    forgetIdleStop()
    limits.makeRoom()
    do throws(LuaError) {
      _ = try load(PromptChunk(text + "\n"), name: "prompt")
      state.stack.pop()
      return .complete
    } catch {
      return error.isIncomplete ? .incomplete : .broken(error)
    }
  }

  /// Evaluates a text as a task, which may wait, after the unfinished lines.
  func evaluate(
    _ text: String, name: String, line: Int, number: Int?, _ ended: @escaping (Evaluation) -> Void
  ) {
    add(
      PromptLine(
        id: turn.nextNumber(), .typed, text, name: name, firstLine: line, number: number, ended: ended))
  }

  /// Loads a script into the same state, as a line: session variables stay, modules are reloaded.
  func runScript(_ text: String, name: String, _ ended: @escaping (Evaluation) -> Void) {
    add(PromptLine(id: turn.nextNumber(), .script, text, name: name, ended: ended))
  }

  /// Ends the unfinished lines, each as interrupted, in the next turn.
  func stopEvaluating() { turn.enqueue { [unowned self] in stopLines(.interruptedLine) } }

  /// Ends the run, in the next turn.
  func leave() {
    turn.enqueue { [unowned self] in
      state.clearStop()
      stopLines(.interruptedLine)
      run.stop()
    }
  }

  /// Ends the running line with the error, and the lines after it.
  func stopLines(_ error: LuaError) {
    state.clearStop()
    let waiting = lines.filter { $0.begun == nil }
    lines.removeAll { $0.begun == nil }
    if let line = current {
      finish(line, .failure(error))
      closeTasks(of: line)
    }
    for line in waiting { line.ended(evaluation(of: line, .failure(.interruptedLine))) }
  }

  /// Discards a stop that came while nothing was running.
  func forgetIdleStop() { if scheduler.running == nil, current == nil { clearIdleStop() } }

  private func clearIdleStop() { options.keepsInterruptions ? state.clearLimit() : state.clearStop() }

  // Tasks of a line may be waited for as long as a line runs; others continue after one was stopped.
  var mayClaimErrors: Bool { !run.isMainOver && isEvaluating }
  var survivesStops: Bool { true }

  /// A task was stopped, and with it the line it belongs to.
  func stopped(_ error: LuaError, _ task: ScriptTask) {
    if let line = current, line.id == task.line {
      turn.enqueue { [unowned self] in if current === line { stopLines(error) } }
    } else if !task.isJoined {
      options.failed(error)
    }
  }

  /// Enqueues a line after the unfinished ones.
  private func add(_ line: PromptLine) {
    turn.enqueue { [unowned self] in
      guard !run.isStopping else {
        return line.ended(evaluation(of: line, .failure(.interruptedLine)))
      }
      lines.append(line)
      beginNextLine()
    }
  }

  private func beginNextLine() {
    guard !run.isStopping, let line = lines.first, line.begun == nil else { return }
    clearIdleStop()
    if wantsCollection || limits.isShortOfMemory {
      wantsCollection = false
      state.releaseDropped()
      state.collect()
    }
    limits.makeRoom()
    state.renewTime()
    line.begun = PromptLine.Begun(at: turn.now, memory: state.memoryUsed)
    do throws(LuaError) {
      try load(line)
    } catch {
      return finish(line, .failure(error))
    }
    globals.keep(line.text, name: line.name, firstLine: line.firstLine)
    let task = scheduler.makeTask(settings: settings, place: line.name)
    task.line = line.id
    task.isJoined = true
    task.onEnd = { [unowned self] task in ended(line, task) }
    scheduler.start(task, arguments: 0)
  }

  /// Pushes the line's function.
  private func load(_ line: PromptLine) throws(LuaError) {
    switch line.kind {
    case .script:
      let text = SessionText(line.text, isScript: true)
      declaring.startOver()
      prelude.pushEntry("forgetModules", on: state.stack)
      try state.call(arguments: 0, results: 0)
      try prelude.load(
        text.text, name: line.name, globals: globals.scriptGlobals(declaring: text.names))
    case .typed:
      let chunk = PromptChunk(line.text)
      line.begun?.isExpression = try load(chunk, name: line.name, line: line.firstLine)
      line.begun?.isHidden = chunk.isHidden
    }
  }

  /// Pushes the function of a chunk and returns whether it is an expression; `line` is the number of its first line.
  ///
  /// Its kind is determined first: the more lines are above, the longer shifting it takes.
  private func load(_ chunk: PromptChunk, name: String, line: Int = 1) throws(LuaError) -> Bool {
    state.stack.push(globals.session)
    let environment = state.stack.count
    defer { state.stack.remove(at: environment) }
    var errors: [LuaError] = []
    for text in chunk.forms {
      do throws(LuaError) {
        try state.load(text, name: name, environment: environment)
      } catch {
        errors.append(error)
        continue
      }
      if line > 1 {
        state.stack.pop()
        try state.load(text.beginning(atLine: line), name: name, environment: environment)
      }
      return errors.isEmpty
    }
    let form = errors[0].isIncomplete ? 0 : errors.count - 1
    if line > 1 {
      try state.load(chunk.forms[form].beginning(atLine: line), name: name, environment: environment)
      state.stack.pop()
    }
    throw errors[form]
  }

  private func ended(_ line: PromptLine, _ task: ScriptTask) {
    switch task.state {
    case .finished(let results):
      let values = values(on: task.coroutine.stack, results)
      if line.kind == .script {
        returned = values
        declaring.finish()
      }
      finish(line, .success(values))
    case .failed(let error): finish(line, .failure(error))
    case .ready, .waiting: break
    }
  }

  /// The results on top of a stack, as many as a user could look at.
  private func values(on stack: LuaStack, _ results: Int) -> [PromptValue] {
    let first = stack.count - results + 1
    return (first..<first + min(results, 1000)).map { position in
      _ = stack.reserve(1)
      stack.pushCopy(of: position)
      return PromptValue(from: stack, in: state)
    }
  }

  /// The line is finished: keeps its values, and starts the next one.
  private func finish(_ line: PromptLine, _ result: Result<[PromptValue], LuaError>) {
    guard lines.first === line else { return }
    keep(result, of: line)
    lines.removeFirst()
    if case .failure(let error) = result, case .stopped = error.kind { closeTasks(of: line) }
    line.ended(evaluation(of: line, result))
    for error in scheduler.drainUnclaimed() { options.failed(error) }
    turn.enqueue { [unowned self] in beginNextLine() }
  }

  /// Nobody waits for what a stopped line has started.
  private func closeTasks(of line: PromptLine) {
    wantsCollection = true
    for task in scheduler.openTasks where task.line == line.id { scheduler.cancel(task) }
    for reader in fetches.inOrder where reader.line == line.id { fetches.close(reader) }
  }

  private func evaluation(of line: PromptLine, _ result: Result<[PromptValue], LuaError>) -> Evaluation {
    var failure: LuaError?
    var values: [PromptValue] = []
    switch result {
    case .success(let found): values = found
    case .failure(let error): failure = error
    }
    let begun = line.begun ?? PromptLine.Begun(at: turn.now, memory: state.memoryUsed)
    return Evaluation(
      name: line.name, values: values, isExpression: begun.isExpression, isHidden: begun.isHidden,
      failure: failure, duration: turn.now - begun.at, growth: state.memoryUsed - begun.memory)
  }

  /// Keeps the first value as `_` and under the line's number, and an error as `_error`.
  private func keep(_ result: Result<[PromptValue], LuaError>, of line: PromptLine) {
    let stack = state.stack
    stack.push(globals.session)
    defer { stack.pop() }
    switch result {
    case .success(let values):
      guard let first = values.first, first.typeName != "nil" else { return }
      for name in ["_"] + (line.number.map { ["_\($0)"] } ?? []) {
        stack.push(first.reference)
        stack.setField(name, of: -2)
      }
    case .failure(let error):
      prelude.push(error, on: stack)
      stack.setField("_error", of: -2)
    }
  }
}

extension LuaError {
  /// A line stopped by the user.
  static let interruptedLine = LuaError(.stopped(.interrupted), "interrupted")

  /// Whether more text could complete it.
  var isIncomplete: Bool { kind == .syntax(isIncomplete: true) }
}
