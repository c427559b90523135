import Lua
import Paging

/// The owner of a scheduler's tasks: a run, or a prompt.
protocol TaskSupervisor: AnyObject {
  /// Whether an unclaimed error may still be claimed by a task that waits.
  var mayClaimErrors: Bool { get }
  /// Whether other tasks continue when one was stopped.
  var survivesStops: Bool { get }
  /// A task was stopped from outside: by the user, or for lack of time or memory.
  func stopped(_ error: LuaError, _ task: ScriptTask)
}

/// The tasks of a script: starts them, resumes them when what they wait for is ready, and ends them.
final class Scheduler {
  private let prelude: Prelude
  private let turn: Turn
  private let run: RunState
  /// Whether tasks end where they would wait.
  private let isCheck: Bool
  /// The run itself, unless another is set.
  weak var supervisor: (any TaskSupervisor)?
  /// The running task.
  private(set) var running: ScriptTask?
  private var tasks: [Int: ScriptTask] = [:]
  /// How many of them are handlers of readers and prefetchers.
  private var handlers = 0
  /// Errors of spawned tasks that nobody has waited for yet.
  private var unclaimed: [(task: ScriptTask, error: LuaError)] = []

  init(_ prelude: Prelude, _ turn: Turn, _ run: RunState, isCheck: Bool) {
    self.prelude = prelude
    self.turn = turn
    self.run = run
    self.isCheck = isCheck
    supervisor = run
  }

  /// Fetches that never end hold their readers, which hold them. Tasks that wait for each other hold each other, in a
  /// chain that may be deeper than the machine's stack.
  deinit {
    for task in tasks.values {
      task.forget()
      task.joiners = []
      task.joined = []
    }
  }

  var isEmpty: Bool { tasks.isEmpty }

  /// Whether only handlers of readers and prefetchers are left.
  var hasHandlersOnly: Bool { handlers == tasks.count }

  /// The unfinished tasks, in order of creation.
  var openTasks: [ScriptTask] { tasks.values.sorted { $0.id < $1.id } }

  /// The lines at which tasks wait, such as `feed.lua:12`, newest task first; at most four.
  var waitingPlaces: [String] {
    var places: [String] = []
    for task in openTasks.reversed() {
      guard case .waiting = task.state else { continue }
      let place = String(task.coroutine.stack.scriptPlace(in: task).dropLast(2))
      if !place.isEmpty, !places.contains(place) { places.append(place) }
    }
    return Array(places.prefix(4))
  }

  /// A task for the function on top of the state's stack, located at `place` in the script; a page's handler, or one that works for what the
  /// running task works for.
  func makeTask(
    settings: RequestSettings, place: String, isHandler: Bool = false, of page: PageTasks? = nil
  ) -> ScriptTask {
    let task = ScriptTask(
      id: turn.nextNumber(), coroutine: LuaCoroutine(prelude.state), settings: settings, place: place)
    task.isHandler = isHandler
    if isHandler { handlers += 1 }
    task.starter = running?.id
    task.line = running?.line
    task.depth = running?.depth ?? 0
    task.step = running?.step
    task.page = page ?? running?.page
    task.page?.started()
    tasks[task.id] = task
    return task
  }

  /// Runs a task for the first time, later in this turn.
  func start(_ task: ScriptTask, arguments: Int) {
    turn.enqueue { [unowned self] in
      guard !task.state.isOver else { return }
      run(task) { task.coroutine.start(arguments: arguments) }
    }
  }

  /// Resumes a task with the results that `answer` leaves on its stack; an error it throws is raised where the task
  /// waits.
  func resume(_ task: ScriptTask, _ answer: @escaping (LuaStack) throws(LuaError) -> Int) {
    turn.enqueue { [unowned self] in
      guard !task.state.isOver else { return }
      run(task) { task.coroutine.resume(answer) { self.prelude.push($0, on: $1) } }
    }
  }

  /// The running task, which may wait here; in a check it ends instead.
  func waitingTask(_ function: HostFunctionCall) throws -> ScriptTask {
    guard function.canWait, let task = running else { throw function.cannotWait }
    try function.stack.raiseFault(function.name)
    if isCheck {
      let message = "\(function.stack.scriptPlace(in: task))\(function.name) waits"
      prelude.push(LuaError(.runtime, message, code: LuaError.checkEnds), on: function.stack)
      throw HostFunctionError.value
    }
    return task
  }

  /// Maximum nesting of handlers; a script has a few.
  private static let deepestHandler = 100

  /// Throws if another handler would be nested too deep; `what` is read or fetched there, such as `source 'feed'`.
  ///
  /// The handlers of sources read while a page of another one is fetched are nested: whatever ends the outermost ends
  /// them all.
  func checkNesting(_ what: String) throws {
    guard let depth = running?.depth, depth >= Self.deepestHandler else { return }
    throw HostFunctionError.misuse(
      "\(what): more than \(Self.deepestHandler) handlers inside each other: is it read by its own fetch handler?"
    )
  }

  /// Ends a task from outside; tasks that wait for it get an error with the code `cancelled`. Those of its own that it alone
  /// waits for end with it, and before it.
  ///
  /// The running task continues to its next wait first.
  func cancel(_ task: ScriptTask) {
    var doomed = [task]
    var next = 0
    while next < doomed.count {
      doomed += doomed[next].leaveJoined()
      next += 1
    }
    for task in doomed.reversed() { end(task) }
  }

  private func end(_ task: ScriptTask) {
    guard !task.state.isOver else { return }
    guard task !== running else {
      task.isJoined = true
      return turn.enqueue { [unowned self] in cancel(task) }
    }
    task.giveUp?()
    task.giveUp = nil
    task.coroutine.cancel()
    task.isJoined = true
    finish(task, .failed(LuaError(.runtime, "the task was cancelled", code: "cancelled")))
  }

  /// A handler has done what it was called for: what it does from here on is the script's own.
  func release(_ task: ScriptTask) {
    if task.isHandler { handlers -= 1 }
    task.isHandler = false
    task.isJoined = false
  }

  /// Ends all tasks.
  func cancelAll() { for task in openTasks { cancel(task) } }

  /// The first error of a task that nobody waited for.
  var unclaimedError: LuaError? { unclaimed.first { !$0.task.isJoined }?.error }

  /// Returns the errors that nobody waited for, and clears them.
  func drainUnclaimed() -> [LuaError] {
    defer { unclaimed = [] }
    return unclaimed.filter { !$0.task.isJoined }.map(\.error)
  }

  private func run(_ task: ScriptTask, _ step: () -> LuaCoroutine.Progress) {
    let outer = running
    running = task
    task.proceed()
    let progress = step()
    running = outer
    switch progress {
    case .waits: task.wait()
    case .finished(let results): finish(task, .finished(results))
    case .failed(let error):
      // The stop has taken effect, and others may run again.
      if case .stopped = error.kind, supervisor?.survivesStops == true { prelude.state.clearStop() }
      finish(task, .failed(error))
    }
  }

  private func finish(_ task: ScriptTask, _ state: ScriptTask.State) {
    if tasks.removeValue(forKey: task.id) != nil, task.isHandler { handlers -= 1 }
    switch state {
    case .finished(let results): task.finish(results: results)
    case .failed(let error): task.fail(error)
    case .ready, .waiting: break
    }
    let joiners = task.joiners
    task.joiners = []
    if case .failed(let error) = task.state, case .stopped = error.kind {
      task.close()
      // Before the tasks that wait for it: they must not catch a stop.
      supervisor?.stopped(error, task)
      for joiner in joiners { joiner.resume() }
      return
    }
    for joiner in joiners { joiner.resume() }
    task.close()
    if case .failed(let error) = task.state {
      if !task.isJoined && error.code != LuaError.checkEnds { keepUnclaimed(error, of: task) }
    }
  }

  /// The script may still wait for the task, as long as it runs; otherwise the error fails the run.
  private func keepUnclaimed(_ error: LuaError, of task: ScriptTask) {
    guard supervisor?.mayClaimErrors == true else { return run.fail(error) }
    unclaimed.removeAll(where: \.task.isJoined)
    unclaimed.append((task, error))
  }
}

extension RunState: TaskSupervisor {
  var mayClaimErrors: Bool { !isMainOver }
  var survivesStops: Bool { false }
  func stopped(_ error: LuaError, _ task: ScriptTask) { fail(error) }
}

extension LuaError {
  /// The code of the error that ends a check where the script would have waited.
  static let checkEnds = "lookahead.check"
}
