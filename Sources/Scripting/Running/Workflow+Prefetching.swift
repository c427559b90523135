import Items
import Lua
import Paging

/// Prefetchers: what they ask for is carried out, and their readers are told.
extension Workflow {
  /// The details of an item; waits where they are not there.
  func detail(_ id: ItemID, of owner: ScriptPrefetcher, _ function: HostFunctionCall) throws
    -> HostFunctionAnswer
  {
    let isHeld = owner.prefetcher.isFresh(id, at: now)
    if !isHeld { try checkNesting("the prefetcher at \(owner.place)") }
    let task = isHeld ? nil : try waitingTask(function)
    let (read, effects) = owner.prefetcher.get(id, at: now)
    switch read {
    case .value(let value):
      function.stack.push(value)
      return .results(1)
    case .waits(let token):
      owner.waiting[token] = task
      task?.giveUp = { [unowned self] in
        owner.waiting[token] = nil
        tell(owner) { $0.cancel(token, of: id, at: now) }
      }
      carryOut(effects, of: owner)
      return .waits
    }
  }

  /// Tells a prefetcher something and carries out what it asks for; in a check nothing is fetched.
  func tell(
    _ owner: ScriptPrefetcher,
    _ body: (inout Prefetcher<LuaReference>) -> [PrefetchEffect<LuaReference>]
  ) {
    guard !options.isCheck else { return }
    carryOut(body(&owner.prefetcher), of: owner)
  }

  /// A loop has moved, or has new pages: what lies ahead of it is prefetched, what it has passed is not.
  func lookAhead(_ reader: FeedReader) {
    follow(reader.details?.move(to: reader.position, length: reader.length), of: reader)
  }

  /// The prefetcher of the source at `index`, for a reader's `details`; nil where the source fetches none.
  func prefetcher(ofSource index: Int, on stack: LuaStack) throws(LuaError) -> ScriptPrefetcher? {
    stack.pushCopy(of: index)
    library.pushEntry("prefetcherOf", on: state.stack)
    stack.move(1, to: state.stack)
    try state.call(arguments: 1, results: 1)
    defer { state.stack.pop() }
    return state.stack.owner(at: -1) as? ScriptPrefetcher
  }

  /// A reader who goes both ways sees other rows, or the rows have changed; `id` names the item of a row.
  func look(_ reader: FeedReader, at position: PrefetchRange.Position, id: (Int) -> ItemID?) {
    follow(reader.details?.range.move(to: position, id: id), of: reader)
  }

  private func follow(_ change: PrefetchRange.Change?, of reader: FeedReader) {
    guard let change, let owner = reader.details?.prefetcher else { return }
    tell(owner) { $0.cancelPrefetch(change.cancelled, at: now) }
    tell(owner) { $0.prefetch(change.wanted, at: now) }
  }

  /// The reader is gone: nothing is prefetched for it any more.
  func endDetails(of reader: FeedReader) {
    guard let owner = reader.details?.prefetcher, let ids = reader.details?.range.end() else { return }
    reader.details = nil
    tell(owner) { $0.cancelPrefetch(ids, at: now) }
  }

  /// Ends the handlers that run: nobody is left who could read what they bring.
  func endPrefetches() {
    for owner in prefetchers.values.sorted(by: { $0.id < $1.id }) {
      let tasks = owner.tasks.sorted { $0.key.number < $1.key.number }
      owner.tasks = [:]
      for (_, task) in tasks { cancel(task) }
    }
    prefetchers = [:]
  }

  /// Each in the order in which it came, also what comes while others are carried out.
  private func carryOut(
    _ effects: [PrefetchEffect<LuaReference>], of owner: ScriptPrefetcher, error: LuaError? = nil
  ) {
    guard !isStopping else { return }
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
    prefetchers[owner.id] = owner.tasks.isEmpty ? nil : owner
  }

  private func carryOut(_ work: ScriptPrefetcher.Work, of owner: ScriptPrefetcher) {
    switch work.effect {
    case .fetch(let name, let id): fetch(id, name, for: owner)
    case .cancel(let name):
      if let task = owner.tasks.removeValue(forKey: name) { cancel(task) }
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
    resume(task, answer)
  }

  /// Starts the handler for an id.
  private func fetch(_ id: ItemID, _ name: PrefetchID, for owner: ScriptPrefetcher) {
    library.pushEntry("runPrefetch", on: state.stack)
    let task = makeTask(settings: owner.settings, place: owner.place)
    task.isJoined = true
    task.isFetch = true
    task.depth = (running?.depth ?? 0) + 1
    owner.tasks[name] = task
    let stack = task.coroutine.stack
    stack.push(owner.handler)
    stack.push(owner: owner)
    stack.push(name.number)
    push(id, on: stack)
    stack.push(owner.prefetcher.attempt(of: id))
    if let parameters = owner.parameters { stack.push(parameters) } else { stack.pushNil() }
    task.onEnd = { [unowned self] task in ended(task, name, of: owner) }
    begin(task, arguments: 6)
  }

  private func ended(_ task: ScriptTask, _ name: PrefetchID, of owner: ScriptPrefetcher) {
    guard owner.tasks.removeValue(forKey: name) != nil else { return }
    switch task.state {
    case .finished:
      let stack = task.coroutine.stack
      stack.pushCopy(of: -1)
      let value = stack.popReference(in: state)
      carryOut(owner.prefetcher.answered(name, with: value, at: now), of: owner)
    case .failed(let error):
      carryOut(
        owner.prefetcher.failed(name, with: FetchFailure(error), at: now), of: owner, error: error)
    case .ready, .waiting: break
    }
  }

  private func push(_ id: ItemID, on stack: LuaStack) {
    switch id {
    case .integer(let value): stack.push(value)
    case .text(let value): stack.push(value)
    }
  }
}
