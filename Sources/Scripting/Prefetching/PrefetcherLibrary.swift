import Items
import Lua
import Paging

/// Prefetchers, behind `lookahead.prefetcher` and `source.prefetcher`: carries out their effects and resumes the tasks
/// that wait for details.
final class PrefetcherLibrary: ScriptLibrary {
  private let prelude: Prelude
  private let turn: Turn
  private let scheduler: Scheduler
  private let run: RunState
  private let definitions: SourceDefinitions
  /// Settings for requests outside of any task.
  private let settings: RequestSettings
  private let isCheck: Bool
  /// Prefetchers with running handlers.
  private var busy: [Int: ScriptPrefetcher] = [:]

  init(
    _ prelude: Prelude, _ turn: Turn, _ scheduler: Scheduler, _ run: RunState,
    _ definitions: SourceDefinitions, settings: RequestSettings, isCheck: Bool
  ) {
    self.prelude = prelude
    self.turn = turn
    self.scheduler = scheduler
    self.run = run
    self.definitions = definitions
    self.settings = settings
    self.isCheck = isCheck
  }

  /// Whether no handler runs.
  var isIdle: Bool { busy.isEmpty }

  func register(in host: HostTable) {
    host.add("prefetcherNew", "lookahead.prefetcher") { [unowned self] call in try makePrefetcher(call) }
    host.add("prefetch", "prefetcher:prefetch") { [unowned self] call in
      prefetch(Self.ids(call.stack, at: 2), with: try Self.prefetcher(call))
      return .nothing
    }
    host.add("cancelPrefetch", "prefetcher:cancelPrefetch") { [unowned self] call in
      cancelPrefetch(Self.ids(call.stack, at: 2), with: try Self.prefetcher(call))
      return .nothing
    }
    host.add("invalidateDetails", "prefetcher:invalidate") { [unowned self] call in
      let ids = call.stack.isNil(at: 2) ? nil : Self.ids(call.stack, at: 2)
      update(try Self.prefetcher(call)) { $0.invalidate(ids, at: turn.now) }
      return .nothing
    }
    host.add("detail", "prefetcher:get") { [unowned self] call in
      guard let id = call.stack.itemID(at: 2) else { return .nothing }
      return try detail(id, of: try Self.prefetcher(call), call)
    }
    host.add("heldDetail", "prefetcher:peek") { call in
      let owner = try Self.prefetcher(call)
      let value = call.stack.itemID(at: 2).flatMap { owner.prefetcher.peek($0) }
      if let value { call.stack.push(value) } else { call.stack.pushNil() }
      return .results(1)
    }
    host.add("prefetcherStatistics", "prefetcher.stats") { call in
      let prefetcher = try Self.prefetcher(call).prefetcher
      let statistics = prefetcher.statistics
      let counts = [
        statistics.hits, statistics.joins, statistics.misses, statistics.fetches, statistics.failed,
        statistics.cancelled, statistics.evicted, statistics.wasted, prefetcher.inFlight, prefetcher.queued,
        prefetcher.count,
      ]
      for count in counts { call.stack.push(count) }
      return .results(counts.count)
    }
    host.add("isPrefetch", "context.isPrefetch") { call in
      let name = PrefetchID(number: call.stack.handle(at: 2))
      call.stack.push(try Self.prefetcher(call).prefetcher.isPrefetch(name))
      return .results(1)
    }
    host.add("isDetailCancelled", "context:isCancelled") { call in
      let name = PrefetchID(number: call.stack.handle(at: 2))
      call.stack.push(try Self.prefetcher(call).tasks[name] == nil)
      return .results(1)
    }
  }

  /// The prefetcher of the source at `index`; nil if the source fetches no details.
  func prefetcher(ofSource index: Int, on stack: LuaStack) throws(LuaError) -> ScriptPrefetcher? {
    try prelude.call("prefetcherOf", with: index, of: stack)
    defer { prelude.state.stack.pop() }
    return prelude.state.stack.owner(at: -1) as? ScriptPrefetcher
  }

  /// A reader approaches these items.
  func prefetch(_ ids: [ItemID], with owner: ScriptPrefetcher) {
    update(owner) { $0.prefetch(ids, at: turn.now) }
  }

  /// A reader moved away from these items.
  func cancelPrefetch(_ ids: [ItemID], with owner: ScriptPrefetcher) {
    update(owner) { $0.cancelPrefetch(ids, at: turn.now) }
  }

  /// Cancels the running handlers: nobody is left to read their results.
  func cancelAll() {
    for owner in busy.values.sorted(by: { $0.id < $1.id }) {
      let tasks = owner.tasks.sorted { $0.key.number < $1.key.number }
      owner.tasks = [:]
      for (_, task) in tasks { scheduler.cancel(task) }
    }
    busy = [:]
  }

  /// newPrefetcher(handler, capacity, staleAfter, maxInFlight, the source's definition) → handle
  private func makePrefetcher(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let stack = call.stack
    var settings = scheduler.running?.settings ?? self.settings
    var parameters: LuaReference?
    if stack.isTable(at: 5) {
      settings = try definitions.definition(call, at: 5).requests
      stack.pushField("parameters", of: 5)
      parameters = stack.popReference(in: prelude.state)
    }
    var prefetching = PrefetcherOptions()
    prefetching.capacity = try stack.count(at: 2, "capacity") ?? prefetching.capacity
    prefetching.staleAfter = stack.number(at: 3).map(Duration.init(limitedSeconds:))
    prefetching.maxInFlight =
      try stack.count(at: 4, "maxInFlight", in: 1...Limits.inFlight) ?? prefetching.maxInFlight
    stack.pushCopy(of: 1)
    let handler = stack.popReference(in: prelude.state)
    stack.push(
      owner: ScriptPrefetcher(
        id: turn.nextNumber(), handler: handler, place: stack.placeOfFunction(at: 1), settings: settings,
        parameters: parameters, options: prefetching))
    return .results(1)
  }

  private static func prefetcher(_ call: HostFunctionCall) throws -> ScriptPrefetcher {
    guard let owner = call.stack.owner(at: 1) as? ScriptPrefetcher else {
      throw HostFunctionError.misuse("\(call.name): expected a prefetcher")
    }
    return owner
  }

  private static func ids(_ stack: LuaStack, at index: Int) -> [ItemID] {
    (0..<stack.length(of: index)).compactMap { position in
      stack.pushElement(position + 1, of: index)
      defer { stack.pop() }
      return stack.itemID(at: -1)
    }
  }

  /// The details of an item; waits if they are not held.
  private func detail(_ id: ItemID, of owner: ScriptPrefetcher, _ function: HostFunctionCall) throws
    -> HostFunctionAnswer
  {
    let isHeld = owner.prefetcher.isFresh(id, at: turn.now)
    if !isHeld { try scheduler.checkNesting("the prefetcher at \(owner.place)") }
    let task = isHeld ? nil : try scheduler.waitingTask(function)
    let (read, effects) = owner.prefetcher.get(id, at: turn.now)
    switch read {
    case .value(let value):
      function.stack.push(value)
      return .results(1)
    case .waits(let token):
      owner.waiting[token] = task
      task?.giveUp = { [unowned self] in
        owner.waiting[token] = nil
        update(owner) { $0.cancel(token, of: id, at: turn.now) }
      }
      carryOut(effects, of: owner)
      return .waits
    }
  }

  /// Updates a prefetcher and carries out its effects; a check fetches nothing.
  private func update(
    _ owner: ScriptPrefetcher,
    _ body: (inout Prefetcher<LuaReference>) -> [PrefetchEffect<LuaReference>]
  ) {
    guard !isCheck else { return }
    carryOut(body(&owner.prefetcher), of: owner)
  }

  /// Each in order of arrival, including those that arrive meanwhile.
  private func carryOut(
    _ effects: [PrefetchEffect<LuaReference>], of owner: ScriptPrefetcher, error: LuaError? = nil
  ) {
    guard !run.isStopping else { return }
    owner.work += effects.map { ScriptPrefetcher.Work(effect: $0, error: error) }
    guard !owner.isWorking else { return }
    owner.isWorking = true
    var next = 0
    while next < owner.work.count {
      carryOut(owner.work[next], of: owner)
      next += 1
    }
    owner.work.removeAll(keepingCapacity: true)
    owner.isWorking = false
    busy[owner.id] = owner.tasks.isEmpty ? nil : owner
  }

  private func carryOut(_ work: ScriptPrefetcher.Work, of owner: ScriptPrefetcher) {
    switch work.effect {
    case .fetch(let name, let id): fetch(id, name, for: owner)
    case .cancel(let name):
      if let task = owner.tasks.removeValue(forKey: name) { scheduler.cancel(task) }
    case .deliver(let token, let value):
      release(token, of: owner) { stack in
        stack.push(value)
        return 1
      }
    case .fail(let token, let failure):
      let error = work.error ?? LuaError(.runtime, failure.message, code: failure.code)
      release(token, of: owner) { _ throws(LuaError) in throw error }
    }
  }

  private func release(
    _ token: PrefetchToken, of owner: ScriptPrefetcher, _ answer: @escaping (LuaStack) throws(LuaError) -> Int
  ) {
    guard let task = owner.waiting.removeValue(forKey: token) else { return }
    task.giveUp = nil
    scheduler.resume(task, answer)
  }

  /// Starts the handler for an id.
  private func fetch(_ id: ItemID, _ name: PrefetchID, for owner: ScriptPrefetcher) {
    prelude.pushEntry("runPrefetch", on: prelude.state.stack)
    let task = scheduler.makeTask(settings: owner.settings, place: owner.place, isHandler: true)
    task.isJoined = true
    task.depth = (scheduler.running?.depth ?? 0) + 1
    owner.tasks[name] = task
    let stack = task.coroutine.stack
    stack.push(owner.handler)
    stack.push(owner: owner)
    stack.push(name.number)
    stack.push(id)
    stack.push(owner.prefetcher.attempt(of: id))
    if let parameters = owner.parameters { stack.push(parameters) } else { stack.pushNil() }
    task.onEnd = { [unowned self] task in ended(task, name, of: owner) }
    scheduler.start(task, arguments: 6)
  }

  private func ended(_ task: ScriptTask, _ name: PrefetchID, of owner: ScriptPrefetcher) {
    guard owner.tasks.removeValue(forKey: name) != nil else { return }
    switch task.state {
    case .finished:
      let stack = task.coroutine.stack
      stack.pushCopy(of: -1)
      let value = stack.popReference(in: prelude.state)
      carryOut(owner.prefetcher.answered(name, with: value, at: turn.now), of: owner)
    case .failed(let error):
      carryOut(
        owner.prefetcher.failed(name, with: FetchFailure(error), at: turn.now), of: owner, error: error)
    case .ready, .waiting: break
    }
  }
}
