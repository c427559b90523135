public import Lua
public import Paging

/// A script that runs: a program that asks for host calls and, in the end, is over.
///
/// It owns the Lua state and the parts that work on it, each with its own state: the tasks, the host calls, the feeds, what is
/// on its way to the sink, and the libraries of the script API. It belongs to one thread.
///
///     let workflow = try Workflow(text: script, options: options)
///     let effects = workflow.handle(.started, at: .zero)
public final class Workflow: Program {
  private let text: String
  let options: WorkflowOptions
  let prelude: Prelude
  let turn = Turn()
  let run = RunState()
  let scheduler: Scheduler
  let limits: LineLimits
  let fetches: FetchHost
  let definitions: SourceDefinitions
  private let policies: ScriptPolicies
  let experiments: ExperimentReader
  let tally = Tally()
  let calls: HostCalls
  let outbox: Outbox
  let prefetchers: PrefetcherLibrary
  let feeds: FeedHost
  let browser: FeedBrowser?
  private let declaring: DeclaringLibrary
  private let emitting: EmitLibrary
  private let libraries: [any ScriptLibrary]
  /// What happened until the script returned, where copies are made.
  public private(set) var beginning = WorkflowBeginning()
  /// Nil in what is no copy.
  var copying: Copying?
  /// What this program and those that read in its place have told each other of the end.
  var dismissal = Dismissal()
  private(set) var session: PromptSession?
  /// What a person at a prompt explores.
  public let exploring: ExplorationHost

  var wakeAt: Instant?
  private var isFinished = false
  /// Whether the parameters that were given have been looked at.
  private var hasCheckedParameters = false
  /// Is given what the script returned, instead of having it read; then nothing in the script may wait.
  var onReturned: ((LuaStack, Int) throws -> Void)?

  /// What a person at a prompt has.
  struct PromptSession {
    let prompt: Prompt
    let values: PromptValues
    let completer: LuaCompleter
    let inspector: ValueInspector
  }

  /// Prepares a state for the script; nothing of the script runs yet.
  public init(text: String, options: WorkflowOptions) throws {
    self.text = text
    self.options = options
    let state = LuaState(randomSeed: options.seed)
    let folder = ScriptFolder(path: options.scriptFolder)
    let settings = RequestSettings(options.overrides)
    let (isCheck, observe) = (options.isCheck, options.observe)
    prelude = Prelude(state)
    scheduler = Scheduler(prelude, turn, run, isCheck: isCheck)
    calls = HostCalls(
      turn, scheduler, tally,
      gate: RequestGate(startedAt: options.startedAt, seed: options.seed),
      isDryRun: options.isDryRun, asksPermits: options.asksPermits, observe: observe)
    outbox = Outbox(turn, scheduler, run, tally, limit: options.limit)
    fetches = FetchHost(prelude, turn, scheduler, run, tally)
    definitions = SourceDefinitions(prelude, overrides: options.overrides, seed: options.seed)
    policies = ScriptPolicies(
      prelude, instructions: options.budget.instructionsPerDecision, seed: options.seed,
      override: options.policy, observe: observe)
    declaring = DeclaringLibrary(
      prelude, scheduler, definitions,
      DeclaringLibrary.Options(
        sourceName: options.sourceName, parameters: options.parameters, isCheck: isCheck,
        loadModule: options.loadModule,
        digest: { [digest = options.digest] in EncodingLibrary.sha256($0, by: digest) }))
    prefetchers = PrefetcherLibrary(
      prelude, turn, scheduler, run, definitions, settings: settings, isCheck: isCheck)
    feeds = FeedHost(
      turn, scheduler, fetches, policies, prefetchers, outbox, run, tally, account: state.account,
      FeedHost.Options(
        maxPages: options.maxPages, refresh: options.refresh, wantsChanges: options.wantsChanges,
        endsEarly: options.endsEarly, remembers: options.remembers, since: options.since,
        until: options.until,
        partition: { [declaring] in try declaring.partition(of: $0) },
        parts: { [declaring] in declaring.parts.text },
        observe: observe, began: options.browse?.began ?? { _, _ in },
        declareTypes: options.declareTypes,
        firstReadingsTaken: options.firstReadingsTaken, failureElsewhere: options.failureElsewhere,
        takes: options.takes, partitionFailed: options.partitionFailed))
    browser = options.browse.map { [turn, run, fetches, feeds, policies] in
      FeedBrowser(state, turn, run, fetches, feeds, policies, $0)
    }
    experiments = ExperimentReader(
      prelude, definitions, policies, names: (options.scriptName, options.sourceName), folder: folder)
    let emitted = options.prompt?.emitted
    emitting = EmitLibrary(
      scheduler, outbox, policies.decision, run, isCheck: isCheck, observe: observe, emitted: emitted)
    let collections = CollectionValues(prelude, scheduler)
    libraries = [
      declaring, prefetchers, emitting,
      StepLibrary(
        scheduler, calls, outbox, feeds, run, state.account, remembers: options.remembers,
        parameters: { [declaring] in try declaring.partition(of: nil) }),
      TaskLibrary(prelude, turn, scheduler, calls, startedAt: options.startedAt), ModuleLibrary(scheduler),
      LoopLibrary(prelude, scheduler, calls, fetches, feeds, definitions, tally, isCheck: isCheck),
      FetchLibrary(turn, calls, fetches),
      DemandLibrary(prelude, turn, scheduler, fetches, definitions, tally, observe: observe),
      JSONLibrary(calls, folder, state.account),
      HTTPLibrary(
        scheduler, calls, state, timeout: options.overrides.timeout, maxBody: options.maxBody),
      FileLibrary(calls, folder),
      DatabaseLibrary(calls, folder, state.account),
      CSVLibrary(state), EncodingLibrary(digest: options.digest),
      XMLLibrary(options.xml, state.account), LogLibrary(observe: observe),
      MachineLibrary(state, collections),
      LabLibrary(
        state, turn, scheduler, calls, experiments, options.lab, folder,
        account: Self.account(of: state, options)),
      CollectionLibrary(prelude, turn, scheduler, run, collections),
    ]
    try prelude.open(libraries, scheduler)
    limits = LineLimits(state, options.budget, stuck: options.stuck)
    exploring = ExplorationHost(
      prelude, turn, run, fetches, definitions, policies, limits, observe: observe)
    run.onStop = { [unowned fetches, unowned scheduler, unowned feeds] in
      feeds.abandonPartitions()
      fetches.closeAll()
      scheduler.cancelAll()
    }
    if let prompt = options.prompt { session = makeSession(prompt, settings) }
    if options.partitionFailed != nil { copying = Copying() }
  }

  private func makeSession(_ options: PromptOptions, _ settings: RequestSettings) -> PromptSession {
    let prompt = Prompt(
      prelude, turn, scheduler, fetches, run, declaring, limits, settings: settings, options)
    let values = PromptValues(prelude.state, scheduler, definitions, prompt)
    return PromptSession(
      prompt: prompt, values: values,
      completer: LuaCompleter(prelude.state, scheduler, prompt, values),
      inspector: ValueInspector(prelude.state, scheduler, prompt))
  }

  private static func account(of state: LuaState, _ options: WorkflowOptions) -> ScriptAccount {
    // No answer is larger than what may be held of it.
    let memory = options.budget.memory > 0 ? options.budget.memory : .max
    return ScriptAccount(largestAnswer: min(options.maxBody, memory), memory: memory) {
      [account = state.account] in account.spend($0)
    }
  }

  public func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    turn.begin(at: now)
    let isBeginning = options.copies > 0 && !run.isMainOver
    if isBeginning { beginning.note(event, at: now) }
    switch event {
    case .started: start()
    case .replied(let id, let reply):
      if !outbox.replied(id, reply) && !feeds.replied(id, reply) { calls.replied(id, reply) }
    case .woke: woke()
    case .interrupted: interrupt()
    case .called(let id, .read(let partition)): read(partition, answering: id)
    case .called(let id, .request(let request, let terms)): calls.pass(id, request, terms)
    case .called(let id, _):
      turn.append(.answer(id, .failed(HostFailure(.invalid, "no program answers such a call"))))
    case .calledOff(let id):
      if !callOff(partition: id) { calls.abandonPassed(id) }
    case .dismissed: dismiss()
    }
    settle()
    let effects = turn.finish()
    if isBeginning { beginning.note(effects) }
    return effects
  }

  /// The line of the script that waits for a host call, as `feed.lua:12`; empty if none does.
  public func place(of id: HostCallID) -> String { calls.place(of: id) }

  /// What has been done so far.
  public var statistics: Statistics {
    options.tallyElsewhere().reduce(tally.statistics) { $0 + $1.statistics }
  }
  /// Whether that is all that the sources have.
  public var coverage: Coverage { options.tallyElsewhere().reduce(tally.coverage) { $0 + $1.coverage } }
  /// How the hosts that requests go to stand with the gate.
  public var hosts: [HostStanding] { calls.hosts }
  /// Whether a source was to be read, even if it was read to its end before.
  public var hasReadings: Bool { feeds.hasReadings }
  /// Why the run did not come to its end, once it is over.
  public var failure: LuaError? { run.failure ?? options.failureElsewhere() }
  /// What the script declared.
  public var declarations: Declarations { declaring.declarations }
  /// Its parameters that choose what it brings, but for secrets, as JSON; empty where none was given.
  public var chosen: String { (try? declaring.partition(of: nil)) ?? "" }
  /// The names that the script finds now: the globals, their fields, and the fields of those.
  public var names: NameTree { NameTree(prelude) }
  /// What the script may use of the machine, for all who work for it outside of its Lua state.
  public var account: ScriptAccount { Self.account(of: prelude.state, options) }

  /// Items that there will be in the end, as far as the sources that the host reads say so; nil while one does not.
  public var total: Int? {
    guard let (open, streams) = feeds.expected else { return nil }
    let total = statistics.itemsPerStream.reduce(open) { streams.contains($1.key) ? $0 : $0 + $1.value }
    return min(total, options.limit ?? total)
  }

  /// Stops a script that computes right now; a signal handler may call it, and any thread. The run ends as interrupted, or
  /// at a prompt the line.
  public func stopScript() { prelude.state.stop() }

  private func interrupt() {
    if let session { return session.prompt.stopLines(.interruptedLine) }
    run.stop(LuaError(.stopped(.interrupted), "interrupted"))
  }

  private func woke() {
    wakeAt = nil
    fetches.wakeDue(feeds.readAgain)
    calls.woke()
  }

  private func start() {
    if session != nil { return startPrompt() }
    do {
      try declaring.load(text, name: options.scriptName)
    } catch {
      return run.fail(error)
    }
    let main = scheduler.makeTask(settings: RequestSettings(options.overrides), place: options.scriptName)
    main.isJoined = true
    main.onEnd = { [unowned self] task in mainEnded(task) }
    scheduler.start(main, arguments: 0)
  }

  /// Begins with the script itself.
  private func startPrompt() {
    runAgain(text: text) { [unowned self] evaluation in
      if let error = evaluation.failure { return options.prompt?.failed(error) ?? () }
      // A prompt goes on, and says it.
      if let mistake = parameterCheck.mistake(declarations) { log("warn", mistake) }
    }
  }

  /// What the script returned is read by the host: a source, or a list of them.
  private func mainEnded(_ task: ScriptTask) {
    run.finishMain()
    guard !run.isStopping else { return }
    if let error = scheduler.unclaimedError { return run.fail(error) }
    switch task.state {
    case .finished(let results):
      let stack = task.coroutine.stack
      declaring.finish()
      beginning.lastNumber = turn.number
      chooseReaders(after: task)
      do {
        if let onReturned { return try onReturned(stack, results) }
        guard options.isCheck else { return try read(stack, results) }
        declaring.note(try returnedSources.review(stack, results: results))
      } catch {
        run.fail(LuaError(any: error))
      }
    case .failed(let error):
      let endsCheck = options.isCheck && onReturned == nil && error.code == LuaError.checkEnds
      if !endsCheck { run.fail(error) }
    case .ready, .waiting: break
    }
  }

  var returnedSources: ReturnedSources {
    ReturnedSources(
      prelude, scheduler, run, definitions, prefetchers, feeds, browser,
      ReturnedSources.Options(
        scriptName: options.scriptName, sourceName: options.sourceName, chosen: options.sources,
        refuseStreams: options.refuseStreams, bounds: bounds, warn: { [unowned self] in log("warn", $0) },
        tellStreams: options.tellStreams))
  }

  private var bounds: [String] {
    (options.since == nil ? [] : ["--since"]) + (options.until == nil ? [] : ["--until"])
  }

  private func read(_ stack: LuaStack, _ results: Int) throws {
    if options.partitionFailed != nil { return try beginWork(stack, results) }
    let isRead = try results > 0 && returnedSources.open(stack, results: results)
    if !isRead { try refuseUnread(stack, results) }
    if options.refresh != nil, !feeds.hasRefreshes {
      throw LuaError(
        .runtime,
        "--refresh: the script returns no source to read again (return a source, or a list of them)",
        code: "usage")
    }
    if let browser, browser.reader == nil {
      throw LuaError(
        .runtime, "the script returns no source, so there is nothing to browse: end it with return SOURCE",
        code: "usage")
    }
  }

  /// What the script returned is nothing to read: sources that were chosen are not there, and a value was meant as something.
  private func refuseUnread(_ stack: LuaStack, _ results: Int) throws(LuaError) {
    if let source = options.sources.first {
      outbox.discard()
      throw LuaError(.runtime, "--source \(source): the script returns no sources", code: "usage")
    }
    if let bound = bounds.first {
      outbox.discard()
      throw LuaError(.runtime, "\(bound): the script returns no source with a bookmark", code: "usage")
    }
    if options.needsSources { throw Self.noSource }
    guard results > 0, emitting.count == 0 else { return }
    let value = stack.count - results + 1
    guard !stack.isNil(at: value) else { return }
    log(
      "warn",
      "the script returned a \(stack.typeName(at: value)), which is nothing to read: "
        + "return a source, or a list of them")
  }

  /// Runs until nothing is left to do before something comes from outside.
  private func settle() {
    turn.drain()
    refuseUnknownParameters()
    outbox.flush()
    turn.drain()
    if run.isMainOver { closeAbandonedLoops() }
    let next = nextWake
    if next == nil, isStuck {
      if let session {
        session.prompt.stopLines(standstill)
        return settle()
      }
      run.fail(standstill)
      turn.drain()
    }
    if hasNothingLeft, !isFinished, isReleased() {
      isFinished = true
      return turn.append(.finished)
    }
    if let next { feeds.warnOfPostponement(until: next) }
    if let next, next != wakeAt { turn.append(.wake(at: next)) }
    wakeAt = next
  }

  private var nextWake: Instant? {
    guard let gate = calls.nextWake else { return fetches.nextWake }
    return fetches.nextWake.map { min($0, gate) } ?? gate
  }

  private var parameterCheck: ParameterCheck {
    ParameterCheck(
      names: Array(options.parameters.keys), secrets: options.secretNames,
      environment: options.environmentNames)
  }

  /// Ends the run before anything is delivered, once the script has declared its parameters, or is loaded without any.
  private func refuseUnknownParameters() {
    guard !hasCheckedParameters, !options.areParametersRecorded, session == nil, !options.isCheck,
      onReturned == nil, !run.isStopping, run.isMainOver || !declarations.parameters.isEmpty
    else { return }
    hasCheckedParameters = true
    for message in parameterCheck.ignored(declarations) { log("info", message) }
    guard let mistake = parameterCheck.mistake(declarations) else { return }
    outbox.discard()
    run.fail(LuaError(.runtime, mistake, code: "usage"))
  }

  private func log(_ level: String, _ message: String) {
    options.observe(.logged(level: level, message: message, fields: []))
  }

  /// Closes loops that nobody can read any more: the script is over and had left them open.
  private func closeAbandonedLoops() {
    guard !(fetches.isEmpty && prefetchers.isIdle), scheduler.hasHandlersOnly, feeds.sinkReaders == 0,
      browser?.reader == nil
    else { return }
    fetches.closeAll()
    prefetchers.cancelAll()
  }
}

extension LuaError {
  /// Whatever the host could not do, in words.
  init(any error: any Error) {
    switch error {
    case let error as LuaError: self = error
    case HostFunctionError.misuse(let message): self.init(.runtime, message)
    case let error as PolicyTextError: self.init(.runtime, error.sentence)
    case let error as InvalidConfiguration: self.init(.runtime, error.text)
    default: self.init(.runtime, "\(error)")
    }
  }
}
