import Items
import Lua
import Paging

/// Item sets on demand, behind `source:itemSet()`: a page whenever a script asks for one.
final class DemandLibrary: ScriptLibrary {
  private let prelude: Prelude
  private let turn: Turn
  private let scheduler: Scheduler
  private let fetches: FetchHost
  private let definitions: SourceDefinitions
  private let tally: Tally
  private let observe: (Observation) -> Void

  init(
    _ prelude: Prelude, _ turn: Turn, _ scheduler: Scheduler, _ fetches: FetchHost,
    _ definitions: SourceDefinitions, _ tally: Tally, observe: @escaping (Observation) -> Void
  ) {
    self.prelude = prelude
    self.turn = turn
    self.scheduler = scheduler
    self.fetches = fetches
    self.definitions = definitions
    self.tally = tally
    self.observe = observe
  }

  func register(in host: HostTable) {
    host.add("demandNew", "source:itemSet") { [unowned self] call in
      let definition = try definitions.definition(call, at: 1)
      call.stack.push(owner: DemandReader(id: turn.nextNumber(), definition: definition, self))
      return .results(1)
    }
    host.add("demandFetch", "itemSet:fetchNextPage") { [unowned self] call in
      let page = try call.stack.count(at: 2, "page", in: 1...Limits.count)
      return try fetch(page, for: try Self.reader(call), call)
    }
    host.add("demandCancel", "itemSet:cancelFetch") { [unowned self] call in
      let reader = try Self.reader(call)
      carryOut(reader.set.cancelFetch(at: turn.now), for: reader)
      return .nothing
    }
    host.add("demandReset", "itemSet:reset") { [unowned self] call in
      let reader = try Self.reader(call)
      tally.coverage.forget(reader.id)
      carryOut(reader.set.reset(at: turn.now), for: reader)
      return .nothing
    }
    host.add("demandQueryChanged", "itemSet.query") { call in
      try Self.reader(call).set.queryChanged()
      return .nothing
    }
    host.add("demandState", "itemSet") { call in
      let set = try Self.reader(call).set
      let stack = call.stack
      stack.push(set.isFetching)
      stack.push(set.lastFetchedPage)
      stack.push(set.totalPages)
      stack.push(set.lastPageAlreadyFetched)
      stack.push(set.count)
      return .results(5)
    }
    host.add("demandItem", "itemSet") { [unowned self] call in
      let set = try Self.reader(call).set
      guard let position = call.stack.position(at: 2), let item = set[position] else {
        return .nothing
      }
      try call.stack.push(json: item.bytes, on: prelude.state.account)
      return .results(1)
    }
    host.add("demandContains", "itemSet:contains") { call in
      let set = try Self.reader(call).set
      call.stack.push(call.stack.itemID(at: 2).map { set.contains($0) } ?? false)
      return .results(1)
    }
  }

  private static func reader(_ call: HostFunctionCall) throws -> DemandReader {
    guard let reader = call.stack.owner(at: 1) as? DemandReader else {
      throw HostFunctionError.misuse(
        "\(call.name): expected an item set (write set:method(), not set.method())")
    }
    return reader
  }

  /// Fetches a page (nil: the next one) and waits for it; the prelude reads the result.
  private func fetch(_ page: Int?, for reader: DemandReader, _ function: HostFunctionCall) throws
    -> HostFunctionAnswer
  {
    guard function.canWait else { throw function.cannotWait }
    try scheduler.checkNesting("source '\(reader.name)'")
    let (start, effects) =
      page.map { reader.set.fetchPage($0, at: turn.now) } ?? reader.set.fetchNextPage(at: turn.now)
    guard let ticket = start.ticket else { return try nothing(start, for: reader, function.stack) }
    var waiter = DemandReader.Waiter(task: try scheduler.waitingTask(function))
    if case .started = start {
      waiter.isStarter = true
      reader.work(for: waiter.task)
    }
    if case .busy = start { waiter.asksAgain = true }
    reader.waiting[ticket, default: []].append(waiter)
    waiter.task.giveUp = { [unowned self] in leave(waiter.task, ticket, reader) }
    carryOut(effects, for: reader)
    return .waits
  }

  /// A task that ends doesn't wait any more: another one calls the callbacks in its place, and a page that nobody waits for is given
  /// up.
  private func leave(_ task: ScriptTask, _ ticket: DemandTicket, _ reader: DemandReader) {
    guard var waiting = reader.waiting[ticket] else { return }
    waiting.removeAll { $0.task === task }
    let heir = waiting.firstIndex { !$0.asksAgain }
    if let heir, !waiting.contains(where: \.isStarter) { waiting[heir].isStarter = true }
    reader.waiting[ticket] = waiting
    if heir == nil { carryOut(reader.set.cancelFetch(at: turn.now), for: reader) }
  }

  /// Why there is nothing to wait for.
  private func nothing(_ start: DemandStart, for reader: DemandReader, _ stack: LuaStack) throws
    -> HostFunctionAnswer
  {
    guard case .nothing(let reason) = start else { return .nothing }
    switch reason {
    case .lastPageFetched: return .nothing
    case .invalidPage(let page):
      throw HostFunctionError.misuse("itemSet:fetchPage: expected a page from 1 on, got \(page)")
    case .unknownKey(let page):
      throw HostFunctionError.misuse(
        "itemSet:fetchPage: the key of page \(page) is not known before page \(page - 1) was fetched")
    case .repeatedKey(let key):
      prelude.push(LuaError(FetchFailure.repeatedKey(key), source: reader.name), on: stack)
      throw HostFunctionError.value
    }
  }

  /// Handles an event of the item set's handlers.
  func receive(_ event: Event, for reader: DemandReader) {
    switch event {
    case .appended(let id, let items, let received):
      carryOut(reader.set.appended(id, items, received: received), for: reader)
    case .answered(let id, let answer):
      carryOut(reader.set.answered(id, answer, at: turn.now), for: reader)
    case .woke: carryOut(reader.set.woke(at: turn.now), for: reader)
    default: break
    }
  }

  private func carryOut(_ effects: [DemandEffect], for reader: DemandReader) {
    for effect in effects {
      switch effect {
      case .fetch(let request): fetches.fetch(request, for: reader)
      case .cancel(let id): fetches.cancelFetch(id, of: reader)
      case .wake(let at): fetches.wake(reader, at: at)
      case .loaded(let ticket, _, let new): loaded(ticket, new, reader)
      case .failed(let ticket, _, let failure):
        let error = reader.error(for: failure)
        release(ticket, of: reader) { [unowned self] stack, isStarter in
          stack.push("failed")
          prelude.push(error, on: stack)
          stack.push(isStarter)
          return 3
        }
      case .abandoned(let ticket):
        release(ticket, of: reader) { stack, _ in
          stack.push("abandoned")
          return 1
        }
      case .ended(let mismatch):
        tally.coverage.forget(reader.id)
        if let mismatch { tally.coverage.add(mismatch, of: reader.name, reader: reader.id) }
      case .note(let note): observe(.noted(source: reader.name, note, at: turn.now))
      }
    }
    if reader.set.isFetching { fetches.add(reader) } else { fetches.remove(reader) }
  }

  private func loaded(_ ticket: DemandTicket, _ new: [Item], _ reader: DemandReader) {
    tally.statistics.pages += 1
    release(ticket, of: reader) { [unowned self] stack, isStarter in
      stack.push("loaded")
      do throws(LuaError) {
        try stack.push(new, on: prelude.state.account)
      } catch {
        stack.pushNil()
      }
      stack.push(isStarter)
      return 3
    }
  }

  private func release(
    _ ticket: DemandTicket, of reader: DemandReader, _ push: @escaping (LuaStack, Bool) -> Int
  ) {
    for waiter in reader.waiting.removeValue(forKey: ticket) ?? [] {
      waiter.task.giveUp = nil
      scheduler.resume(waiter.task) { stack in
        guard waiter.asksAgain else { return push(stack, waiter.isStarter) }
        stack.push("busy")
        return 1
      }
    }
  }
}

/// An item set on demand, and the tasks that wait for its pages.
final class DemandReader: Reader {
  private unowned let library: DemandLibrary
  var set: DemandSet
  /// Waiting tasks, by the ticket of their page.
  var waiting: [DemandTicket: [Waiter]] = [:]

  struct Waiter {
    let task: ScriptTask
    /// Whether it asked first, and so calls the callbacks.
    var isStarter = false
    /// Whether it wants another page, once that one is over.
    var asksAgain = false
  }

  init(id: Int, definition: SourceDefinition, _ library: DemandLibrary) {
    self.library = library
    set = DemandSet(configuration: definition.configuration)
    super.init(id: id, definition: definition)
  }

  override func receive(_ event: Event) { library.receive(event, for: self) }
}
