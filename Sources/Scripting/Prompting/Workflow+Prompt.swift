import Lua
import Paging

/// A person's lines, in the script's own state and sandbox.
extension Workflow {
  /// Whether the text can be evaluated: as an expression, as statements, or as the beginning of either. It ends a line, so a
  /// string in quotes cannot go on behind it.
  public func completeness(of text: String) -> Completeness {
    guard prompt != nil, running == nil else { return .complete }
    forgetIdleStop()
    giveRoom()
    do throws(LuaError) {
      _ = try load(PromptChunk(text + "\n"), name: "prompt")
      state.stack.pop()
      return .complete
    } catch {
      return error.isIncomplete ? .incomplete : .broken(error)
    }
  }

  /// Evaluates a text as a task, which may wait; it begins with the next event that the workflow is told, after the lines that
  /// are not over. `ended` is called once.
  ///
  /// `name` and `line`, the number of the text's first line, are shown in errors. With a `number` the first value is kept as
  /// `_3`, besides `_`.
  public func evaluate(
    _ text: String, name: String, line: Int = 1, number: Int? = nil, _ ended: @escaping (Evaluation) -> Void
  ) {
    add(
      PromptLine(
        id: nextNumber(), .typed, text, name: name, firstLine: line, number: number, ended: ended))
  }

  /// Loads another text of the script into the same state, as a line: variables of the session stay, modules are loaded anew.
  public func runAgain(text: String, _ ended: @escaping (Evaluation) -> Void) {
    add(PromptLine(id: nextNumber(), .script, text, name: options.scriptName, ended: ended))
  }

  /// Whether a line, or the script itself, is not over.
  public var isEvaluating: Bool { !(prompt?.lines.isEmpty ?? true) }

  /// Ends the lines that are not over, with all that they have begun, at the next event that the workflow is told; each as
  /// interrupted. So does the event `.interrupted` by itself.
  public func stopEvaluating() {
    later { [unowned self] in stopLines(.interruptedLine) }
  }

  /// Ends the run, with the next event that the workflow is told.
  public func leavePrompt() {
    later { [unowned self] in
      state.clearStop()
      stopLines(.interruptedLine)
      stop()
    }
  }

  /// Ends the line under way with the error, and those behind it.
  func stopLines(_ error: LuaError) {
    guard let prompt else { return }
    state.clearStop()
    let waiting = prompt.lines.filter { $0.begun == nil }
    prompt.lines.removeAll { $0.begun == nil }
    if let line = prompt.current {
      end(line, .failure(error))
      endTasks(of: line)
    }
    for line in waiting { line.ended(evaluation(of: line, .failure(.interruptedLine))) }
  }

  /// Begins with the script itself.
  func startPrompt(text: String) {
    runAgain(text: text) { [unowned self] evaluation in
      if let error = evaluation.failure { return failed(error) }
      warnOfUnknownParameters()
    }
  }

  /// A task came out of Lua with an error: a stop has been obeyed, and others may run again.
  func recover(from error: LuaError) {
    guard prompt != nil, case .stopped = error.kind else { return }
    state.clearStop()
  }

  /// A task was stopped: with it the run is over, or the line that it belongs to.
  func stopped(_ error: LuaError, _ task: ScriptTask) {
    guard let prompt else { return fail(error) }
    if let line = prompt.current, line.id == task.line {
      later { [unowned self] in if prompt.current === line { stopLines(error) } }
    } else if !task.isJoined {
      failed(error)
    }
  }

  /// Something went wrong in this session, which goes on.
  func failed(_ error: LuaError) {
    prompt?.options.failed(error)
  }
}
