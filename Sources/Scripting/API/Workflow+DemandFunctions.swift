import Items
import Lua
import Paging

/// Host functions behind `source:itemSet()`.
extension Workflow {
  func defineDemand(in host: HostTable) {
    host.add("demandNew", "source:itemSet") { [unowned self] call in
      let definition = try definition(call, at: 1)
      call.stack.push(owner: DemandReader(id: nextNumber(), definition: definition))
      return .results(1)
    }
    host.add("demandFetch", "itemSet:fetchNextPage") { [unowned self] call in
      let page = try call.stack.count(at: 2, "page", in: 1...Limits.count)
      return try fetchOnDemand(try Self.reader(call), page: page, call)
    }
    host.add("demandCancel", "itemSet:cancelFetch") { [unowned self] call in
      tell(try Self.reader(call)) { $0.cancelFetch(at: now) }
      return .nothing
    }
    host.add("demandReset", "itemSet:reset") { [unowned self] call in
      tell(try Self.reader(call)) { $0.reset(at: now) }
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
      try push(json: item.bytes, on: call.stack)
      return .results(1)
    }
    host.add("demandContains", "itemSet:contains") { call in
      let set = try Self.reader(call).set
      let stack = call.stack
      let id = stack.integer(at: 2).map { ItemID.integer($0) } ?? stack.string(at: 2).map { ItemID.text($0) }
      stack.push(id.map { set.contains($0) } ?? false)
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
}
