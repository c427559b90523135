public import Lua
public import Paging

/// A script that runs: a program that asks for host calls and, in the end, is over.
///
/// It owns the Lua state, the tasks, the feeds and what is on its way to the sink. It belongs to one thread.
public final class Workflow: Program {
  let options: WorkflowOptions
  let state: LuaState
  let library: Library
  private let script: (text: String, name: String)

  var now = Instant.zero
  var effects: [ProgramEffect] = []
  /// Work to be done in this turn, in order.
  private var ready: [() -> Void] = []
  private var readyStart = 0

  var running: ScriptTask?
  var tasks: [Int: ScriptTask] = [:]
  var calls: [HostCallID: PendingCall] = [:]
  var readers: [Int: Reader] = [:]
  /// Prefetchers whose handlers run.
  var prefetchers: [Int: ScriptPrefetcher] = [:]
  private(set) lazy var policyView = PolicyViewTable(state)
  let decision = Decision()
  var outbox = Outbox()
  /// Items that the script emitted itself.
  var emittedItems = 0
  /// Errors of spawned tasks that nobody has waited for yet.
  var unclaimed: [(task: ScriptTask, error: LuaError)] = []
  /// The sink has a whole reading of every source that is read again.
  var areFirstReadingsTaken = false
  /// Why the last reading of a source failed that was read again.
  var lastFailure: LuaError?
  var gate: RequestGate
  var attempts: [HostCallID: HostCallID] = [:]
  private var lastNumber = 0
  private var wakeAt: Instant?
  private(set) var isMainOver = false
  private var isFinished = false
  var isStopping = false
  /// Whether the parameters that were given have been looked at.
  var hasRefused = false
  /// What is kept for a person who types lines.
  private(set) var prompt: Prompt?
  /// Takes what the script returned, instead of having it read; then nothing in the script may wait.
  var takeReturned: ((LuaStack, Int) throws -> Void)?
  /// Reads the file that a workload or network names, for a script that may not wait for it.
  var readWorld: ((String) throws -> String)?

  /// What has been done so far.
  public internal(set) var statistics = Statistics()
  /// Whether that is all that the sources have.
  public internal(set) var coverage = Coverage()
  /// Why the run did not come to its end, once it is over.
  public private(set) var failure: LuaError?
  /// What the script declared.
  public internal(set) var declarations = Declarations()

  /// Prepares a state for the script; nothing of the script runs yet.
  public init(text: String, options: WorkflowOptions) throws {
    self.options = options
    script = (text, options.scriptName)
    state = LuaState(randomSeed: options.seed)
    library = Library()
    gate = RequestGate(
      maxWidth: max(16, options.overrides.maxInFlight ?? 0), startedAt: options.startedAt, seed: options.seed)
    try library.open(state, for: self)
    state.setBudget(options.budget, stuck: options.stuck)
    prompt = options.prompt.map { makePrompt($0) }
  }

  /// Fetches that never end hold their readers, which hold them.
  ///
  /// Tasks that wait for each other hold each other, as a chain that may be longer than the machine's stack is deep.
  deinit {
    for task in tasks.values {
      task.onEnd = { _ in }
      task.joiners = []
    }
  }

  public func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    self.now = now
    switch event {
    case .started: start()
    case .replied(let id, let reply): replied(id, reply)
    case .woke: woke()
    case .interrupted: interrupt()
    }
    settle()
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  /// What the script may use of the machine, for all who work for it outside of its Lua state.
  public var account: ScriptAccount {
    // No answer is larger than what may be held of it.
    let memory = options.budget.memory > 0 ? options.budget.memory : .max
    return ScriptAccount(largestAnswer: min(options.maxBody, memory), memory: memory) {
      [account = state.account] in account.spend($0)
    }
  }

  /// Stops a script that computes right now; a signal handler may call it, and any thread. The run ends as interrupted, or
  /// at a prompt the line.
  public func stopScript() { state.stop() }

  /// A number that was not used before in this run.
  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Does the work later in this turn, after what is under way.
  func later(_ work: @escaping () -> Void) { ready.append(work) }

  /// Ends the run: what was given to the sink stays, nothing new is fetched.
  func fail(_ error: LuaError) {
    if prompt != nil, !isStopping { return failed(error) }
    if failure == nil { failure = error }
    stop()
  }

  /// Stops fetching and running; what is in the outbox is still delivered.
  func stop() {
    guard !isStopping else { return }
    isStopping = true
    isMainOver = true
    for reader in readers.values.sorted(by: { $0.id < $1.id }) { close(reader) }
    for task in tasks.values.sorted(by: { $0.id < $1.id }) { cancel(task) }
  }

  private func interrupt() {
    if prompt != nil { return stopLines(.interruptedLine) }
    if failure == nil { failure = LuaError(.stopped(.interrupted), "interrupted") }
    stop()
  }

  private func start() {
    if prompt != nil { return startPrompt(text: script.text) }
    do {
      try library.load(script.text, name: script.name, in: state)
    } catch {
      return fail(error)
    }
    let main = makeTask(settings: RequestSettings(options.overrides), place: script.name)
    main.isJoined = true
    main.onEnd = { [unowned self] task in mainEnded(task) }
    begin(main, arguments: 0)
  }

  /// What the script returned is read by the host: a source, or a list of them.
  private func mainEnded(_ task: ScriptTask) {
    isMainOver = true
    guard !isStopping else { return }
    if let error = unclaimed.first(where: { !$0.task.isJoined })?.error { return fail(error) }
    switch task.state {
    case .finished(let results):
      declarations.isLoaded = true
      declarations.returnsNothing = results == 0 || task.coroutine.stack.isNil(at: -results)
      do {
        if let takeReturned { return try takeReturned(task.coroutine.stack, results) }
        guard !options.isCheck else { return }
        let stack = task.coroutine.stack
        let isRead = try results > 0 && openReturned(stack, results: results)
        if !isRead { try refuseUnread(stack, results: results) }
        try refuseToRefreshNothing()
        try refuseToBrowseNothing()
      } catch {
        fail(LuaError(any: error))
      }
    case .failed(let error):
      let endsCheck = options.isCheck && takeReturned == nil && error.code == LuaError.checkEnds
      if !endsCheck { fail(error) }
    case .ready, .waiting: break
    }
  }

  /// Runs until nothing is left to do before something comes from outside.
  private func settle() {
    runReady()
    refuseUnknownParameters()
    flush()
    runReady()
    if isMainOver { closeAbandonedLoops() }
    let next = nextWake
    if next == nil, isStuck {
      if prompt != nil {
        stopLines(standstill)
        return settle()
      }
      fail(standstill)
      runReady()
    }
    if isMainOver, !isFinished, tasks.isEmpty, readers.isEmpty, outbox.isEmpty {
      isFinished = true
      effects.append(.finished)
      return
    }
    if let next { tellOfPutOffs(until: next) }
    if let next, next != wakeAt { effects.append(.wake(at: next)) }
    wakeAt = next
  }

  private var nextWake: Instant? {
    ([gate.nextWake] + readers.values.flatMap { [$0.wakeAt, $0.readAgainAt] }).compactMap { $0 }.min()
  }

  private func runReady() {
    while readyStart < ready.count {
      let work = ready[readyStart]
      readyStart += 1
      work()
      if readyStart == 1024 {
        ready.removeFirst(readyStart)
        readyStart = 0
      }
    }
    ready.removeAll(keepingCapacity: true)
    readyStart = 0
  }

  private func woke() {
    wakeAt = nil
    for reader in readers.values.sorted(by: { $0.id < $1.id }) {
      guard let due = reader.wakeAt, due <= now else { continue }
      reader.wakeAt = nil
      reader.tell(.woke, in: self)
    }
    readAgain()
    gateWoke()
  }
}
