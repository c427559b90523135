import Items
import Lua
import Paging

/// Host functions behind `lookahead.prefetcher` and `source.prefetcher`.
extension Workflow {
  func definePrefetching(in host: HostTable) {
    host.add("prefetcherNew", "lookahead.prefetcher") { [unowned self] call in try newPrefetcher(call) }
    host.add("prefetch", "prefetcher:prefetch") { [unowned self] call in
      let ids = Self.ids(call.stack, at: 2)
      tell(try Self.prefetcher(call)) { $0.prefetch(ids, at: now) }
      return .nothing
    }
    host.add("cancelPrefetch", "prefetcher:cancelPrefetch") { [unowned self] call in
      let ids = Self.ids(call.stack, at: 2)
      tell(try Self.prefetcher(call)) { $0.cancelPrefetch(ids, at: now) }
      return .nothing
    }
    host.add("invalidateDetails", "prefetcher:invalidate") { [unowned self] call in
      let ids = call.stack.isNil(at: 2) ? nil : Self.ids(call.stack, at: 2)
      tell(try Self.prefetcher(call)) { $0.invalidate(ids, at: now) }
      return .nothing
    }
    host.add("detail", "prefetcher:get") { [unowned self] call in
      guard let id = Self.id(call.stack, at: 2) else { return .nothing }
      return try detail(id, of: try Self.prefetcher(call), call)
    }
    host.add("heldDetail", "prefetcher:peek") { call in
      let owner = try Self.prefetcher(call)
      let value = Self.id(call.stack, at: 2).flatMap { owner.prefetcher.peek($0) }
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

  /// newPrefetcher(handler, capacity, staleAfter, maxInFlight, the source's definition) → handle
  private func newPrefetcher(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let stack = call.stack
    var settings = running?.settings ?? RequestSettings(options.overrides)
    var parameters: LuaReference?
    if stack.isTable(at: 5) {
      settings = try definition(call, at: 5).requests
      stack.pushField("parameters", of: 5)
      parameters = stack.popReference(in: state)
    }
    var prefetching = PrefetcherOptions()
    prefetching.capacity = try stack.count(at: 2, "capacity") ?? prefetching.capacity
    prefetching.staleAfter = stack.number(at: 3).map(Duration.init(limitedSeconds:))
    prefetching.maxInFlight =
      try stack.count(at: 4, "maxInFlight", in: 1...Limits.inFlight) ?? prefetching.maxInFlight
    stack.pushCopy(of: 1)
    let handler = stack.popReference(in: state)
    stack.push(
      owner: ScriptPrefetcher(
        id: nextNumber(), handler: handler, place: stack.placeOfFunction(at: 1), settings: settings,
        parameters: parameters, options: prefetching))
    return .results(1)
  }

  private static func prefetcher(_ call: HostFunctionCall) throws -> ScriptPrefetcher {
    guard let owner = call.stack.owner(at: 1) as? ScriptPrefetcher else {
      throw HostFunctionError.misuse("\(call.name): expected a prefetcher")
    }
    return owner
  }

  private static func id(_ stack: LuaStack, at index: Int) -> ItemID? {
    stack.integer(at: index).map { .integer($0) } ?? stack.string(at: index).map { .text($0) }
  }

  private static func ids(_ stack: LuaStack, at index: Int) -> [ItemID] {
    (0..<stack.length(of: index)).compactMap { position in
      stack.pushElement(position + 1, of: index)
      defer { stack.pop() }
      return id(stack, at: -1)
    }
  }
}
