import Items
import Lua
import Paging

/// Item sets on demand: a page when a script asks for one.
extension Workflow {
  /// Fetches a page (nil: the next one) and waits for it; the prelude reads what came of it.
  func fetchOnDemand(_ reader: DemandReader, page: Int?, _ function: HostFunctionCall) throws
    -> HostFunctionAnswer
  {
    guard function.canWait else { throw function.cannotWait }
    try checkNesting("source '\(reader.name)'")
    let (start, effects) = page.map { reader.set.fetchPage($0, at: now) } ?? reader.set.fetchNextPage(at: now)
    guard let ticket = start.ticket else { return try nothing(start, for: reader, function.stack) }
    var isStarter = false
    if case .started = start { isStarter = true }
    let task = try waitingTask(function)
    reader.waiting[ticket, default: []].append(DemandReader.Waiter(task: task, isStarter: isStarter))
    carryOut(effects, for: reader)
    return .waits
  }

  /// Why there is nothing to wait for.
  private func nothing(_ start: DemandStart, for reader: DemandReader, _ stack: LuaStack) throws
    -> HostFunctionAnswer
  {
    guard case .nothing(let reason) = start else { return .nothing }
    switch reason {
    case .lastPageFetched, .busy: return .nothing
    case .invalidPage(let page):
      throw HostFunctionError.misuse("itemSet:fetchPage: expected a page from 1 on, got \(page)")
    case .unknownKey(let page):
      throw HostFunctionError.misuse(
        "itemSet:fetchPage: the key of page \(page) is not known before page \(page - 1) was fetched")
    case .repeatedKey(let key):
      library.push(LuaError(FetchFailure.repeatedKey(key), source: reader.name), on: stack)
      throw HostFunctionError.value
    }
  }

  /// Tells the set something and carries out what it asks for.
  func tell(_ reader: DemandReader, _ body: (inout DemandSet) -> [DemandEffect]) {
    carryOut(body(&reader.set), for: reader)
  }

  private func carryOut(_ effects: [DemandEffect], for reader: DemandReader) {
    for effect in effects {
      switch effect {
      case .fetch(let request): fetch(request, for: reader)
      case .cancel(let id): cancelFetch(id, of: reader)
      case .wake(let at): reader.wakeAt = at
      case .loaded(let ticket, let page, let new): loaded(ticket, page, new, reader)
      case .failed(let ticket, _, let failure):
        let error = reader.error(for: failure)
        release(ticket, of: reader) { [unowned self] stack, isStarter in
          stack.push("failed")
          library.push(error, on: stack)
          stack.push(isStarter)
          return 3
        }
      case .abandoned(let ticket):
        release(ticket, of: reader) { stack, _ in
          stack.push("abandoned")
          return 1
        }
      case .note(let note): options.observe(.noted(source: reader.name, note, at: now))
      }
    }
    readers[reader.id] = reader.set.isFetching ? reader : nil
  }

  private func loaded(_ ticket: DemandTicket, _ page: Int, _ new: [Item], _ reader: DemandReader) {
    statistics.pages += 1
    release(ticket, of: reader) { [unowned self] stack, isStarter in
      stack.push("loaded")
      do throws(LuaError) {
        try push(new, on: stack)
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
      resume(waiter.task) { push($0, waiter.isStarter) }
    }
  }
}
