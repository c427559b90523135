import Lua
import Paging

/// Lines of a prompt: begun one after another, each a task.
extension Workflow {
  /// Puts a line behind those that are not over.
  func add(_ line: PromptLine) {
    later { [unowned self] in
      guard let prompt else { return }
      guard !isStopping else { return line.ended(evaluation(of: line, .failure(.interruptedLine))) }
      prompt.lines.append(line)
      beginNextLine()
    }
  }

  private func beginNextLine() {
    guard let prompt, !isStopping, let line = prompt.lines.first, line.begun == nil else { return }
    state.clearStop()
    if prompt.wantsCollection || isShortOfMemory {
      prompt.wantsCollection = false
      state.letGo()
      state.collect()
    }
    giveRoom()
    state.renewTime()
    line.begun = PromptLine.Begun(at: now, memory: state.memoryUsed)
    do throws(LuaError) {
      try load(line)
    } catch {
      return end(line, .failure(error))
    }
    prompt.keep(line.text, name: line.name, firstLine: line.firstLine)
    let task = makeTask(settings: RequestSettings(options.overrides), place: line.name)
    task.line = line.id
    task.isJoined = true
    task.onEnd = { [unowned self] task in ended(line, task) }
    begin(task, arguments: 0)
  }

  /// Pushes the line's function.
  private func load(_ line: PromptLine) throws(LuaError) {
    guard let prompt else { return }
    switch line.kind {
    case .script:
      let text = SessionText(line.text, isScript: true)
      declarations = Declarations()
      library.pushEntry("forgetModules", on: state.stack)
      try state.call(arguments: 0, results: 0)
      try library.load(text.text, name: line.name, in: state, globals: makeScriptGlobals(text.names, prompt))
    case .typed:
      let chunk = PromptChunk(line.text)
      line.begun?.isExpression = try load(chunk, name: line.name, line: line.firstLine)
      line.begun?.isHidden = chunk.isHidden
    }
  }

  /// Pushes the function of a chunk and says whether it is an expression; `line` is the number of its first line.
  ///
  /// What it is is found out first: to move it down takes the longer the more lines are above.
  func load(_ chunk: PromptChunk, name: String, line: Int = 1) throws(LuaError) -> Bool {
    guard let prompt else { return false }
    state.stack.push(prompt.session)
    let globals = state.stack.count
    defer { state.stack.remove(at: globals) }
    var errors: [LuaError] = []
    for text in chunk.forms {
      do throws(LuaError) {
        try state.load(text, name: name, environment: globals)
      } catch {
        errors.append(error)
        continue
      }
      if line > 1 {
        state.stack.pop()
        try state.load(text.beginning(atLine: line), name: name, environment: globals)
      }
      return errors.isEmpty
    }
    let form = errors[0].isIncomplete ? 0 : errors.count - 1
    if line > 1 {
      try state.load(chunk.forms[form].beginning(atLine: line), name: name, environment: globals)
      state.stack.pop()
    }
    throw errors[form]
  }

  private func ended(_ line: PromptLine, _ task: ScriptTask) {
    switch task.state {
    case .finished(let results):
      let values = values(on: task.coroutine.stack, results)
      if line.kind == .script {
        prompt?.returned = values
        declarations.isLoaded = true
      }
      end(line, .success(values))
    case .failed(let error): end(line, .failure(error))
    case .ready, .waiting: break
    }
  }

  /// The results on the top of a stack, as far as a person could look at them.
  private func values(on stack: LuaStack, _ results: Int) -> [PromptValue] {
    let first = stack.count - results + 1
    return (first..<first + min(results, 1000)).map { position in
      _ = stack.reserve(1)
      stack.pushCopy(of: position)
      return PromptValue(from: stack, in: state)
    }
  }

  /// The line is over: what it gave is kept, and the next one begins.
  func end(_ line: PromptLine, _ result: Result<[PromptValue], LuaError>) {
    guard let prompt, prompt.lines.first === line else { return }
    keep(result, of: line)
    prompt.lines.removeFirst()
    if case .failure(let error) = result, case .stopped = error.kind { endTasks(of: line) }
    line.ended(evaluation(of: line, result))
    reportUnclaimed()
    later { [unowned self] in beginNextLine() }
  }

  /// Errors of tasks that no line waits for any more.
  private func reportUnclaimed() {
    let errors = unclaimed.filter { !$0.task.isJoined }.map(\.error)
    unclaimed = []
    for error in errors { failed(error) }
  }

  /// Nobody waits for what a line has begun that was stopped.
  func endTasks(of line: PromptLine) {
    prompt?.wantsCollection = true
    for task in tasks.values.sorted(by: { $0.id < $1.id }) where task.line == line.id { cancel(task) }
    for reader in readers.values.sorted(by: { $0.id < $1.id }) where reader.line == line.id { close(reader) }
  }

  func evaluation(of line: PromptLine, _ result: Result<[PromptValue], LuaError>) -> Evaluation {
    var failure: LuaError?
    var values: [PromptValue] = []
    switch result {
    case .success(let found): values = found
    case .failure(let error): failure = error
    }
    let begun = line.begun ?? PromptLine.Begun(at: now, memory: state.memoryUsed)
    return Evaluation(
      name: line.name, values: values, isExpression: begun.isExpression, isHidden: begun.isHidden,
      failure: failure, duration: now - begun.at, growth: state.memoryUsed - begun.memory)
  }

  /// Keeps the first value as `_` and under the line's number, and an error as `_error`.
  private func keep(_ result: Result<[PromptValue], LuaError>, of line: PromptLine) {
    guard let prompt else { return }
    let stack = state.stack
    stack.push(prompt.session)
    defer { stack.pop() }
    switch result {
    case .success(let values):
      guard let first = values.first, first.typeName != "nil" else { return }
      for name in ["_"] + (line.number.map { ["_\($0)"] } ?? []) {
        stack.push(first.reference)
        stack.setField(name, of: -2)
      }
    case .failure(let error):
      library.push(error, on: stack)
      stack.setField("_error", of: -2)
    }
  }
}

extension LuaError {
  /// A line that a person has stopped.
  static let interruptedLine = LuaError(.stopped(.interrupted), "interrupted")

  /// More text could mend it.
  var isIncomplete: Bool { kind == .syntax(isIncomplete: true) }
}
