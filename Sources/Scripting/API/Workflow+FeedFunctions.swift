import Items
import Lua
import Paging

/// Host functions on sources that are read, and on their fetches.
extension Workflow {
  func defineFeeds(in host: HostTable) {
    host.add("openFeed", "source:items") { [unowned self] call in try openFeed(call) }
    host.add("nextItems", "source:items") { [unowned self] call in
      try nextItems(try reader(call), call)
    }
    host.add("moved", "source:items") { [unowned self] call in
      let reader = try reader(call)
      let passed = try call.stack.count(at: 2, "items passed") ?? 0
      move(reader, to: reader.pageStart + passed)
      return .nothing
    }
    host.add("closeFeed", "source:items") { [unowned self] call in
      if let reader = readers[call.stack.handle(at: 1)] { close(reader) }
      return .nothing
    }
    host.add("append", "context:append") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let items = try items(call, at: 3, ids: 5, of: reader)
      let received = try call.stack.count(at: 4, "the number of items") ?? items.count
      reader.tell(.appended(fetch, items, received: received), in: self)
      return .nothing
    }
    host.add("outline", "fetch") { [unowned self] call in try outline(call) }
    host.add("page", "fetch") { [unowned self] call in try page(call) }
    host.add("complete", "context:complete") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let answer = FetchAnswer.completed(
        more: stack.truth(at: 3), nextKey: try key(at: 4, on: stack),
        total: try total(at: 5, on: stack))
      later { [unowned self] in reader.tell(.answered(fetch, answer), in: self) }
      return .nothing
    }
    host.add("fail", "context:fail") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let failure = FetchFailure(
        code: "failed", message: stack.string(at: 3) ?? "", isTransient: stack.truth(at: 5),
        retryAfter: stack.number(at: 4).map(Duration.init(limitedSeconds:)))
      later { [unowned self] in reader.tell(.answered(fetch, .failed(failure)), in: self) }
      return .nothing
    }
    host.add("isCancelled", "context:isCancelled") { [unowned self] call in
      call.stack.push(fetch(call) == nil)
      return .results(1)
    }
  }

  /// openFeed(definition, prefetcher) → id, how often the reader says where it is
  private func openFeed(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    if options.isCheck { _ = try waitingTask(call) }
    let definition = try definition(call, at: 1)
    let reader = try open(definition, kind: .iterator)
    reader.details = (call.stack.owner(at: 2) as? ScriptPrefetcher).map { DetailWindow($0) }
    call.stack.push(reader.id)
    call.stack.push(max(1, definition.configuration.options.pageSize / 8))
    return .results(2)
  }

  /// The sealed definition at `index`.
  func definition(_ call: HostFunctionCall, at index: Int) throws -> SourceDefinition {
    do throws(InvalidConfiguration) {
      return try SourceDefinition(
        state, at: index, on: call.stack, overrides: options.overrides, seed: options.seed)
    } catch {
      throw HostFunctionError.misuse(error.text)
    }
  }

  private func reader(_ call: HostFunctionCall) throws -> FeedReader {
    guard let reader = readers[call.stack.handle(at: 1)] as? FeedReader else {
      throw HostFunctionError.misuse("\(call.name): this loop is over")
    }
    return reader
  }

  /// The reader and fetch named by the first two arguments; nil when nobody wants the answer any more.
  private func fetch(_ call: HostFunctionCall) -> (Reader, FetchID)? {
    guard let reader = readers[call.stack.handle(at: 1)], let id = reader.wanted[call.stack.handle(at: 2)]
    else { return nil }
    return (reader, id)
  }

  /// outline(feed, fetch, received, nextKey, previousKey, total, isLast): the next request goes out before items are made.
  private func outline(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call), let reader = reader as? FeedReader else { return .nothing }
    let stack = call.stack
    let page = Page(
      PageItems([], received: try stack.count(at: 3, "the number of items")),
      nextKey: try key(at: 4, on: stack), previousKey: try key(at: 5, on: stack),
      total: try total(at: 6, on: stack),
      isLast: stack.truth(at: 7))
    let before = reader.fetches.count
    tell(reader, .outlined(fetch, page))
    guard reader.fetches.count > before, call.canWait else { return .nothing }
    return try wait(call, for: .sleep(.zero))
  }

  /// page(feed, fetch, items, received, ids, nextKey, previousKey, total, isLast)
  private func page(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call) else { return .nothing }
    let stack = call.stack
    let items = try items(call, at: 3, ids: 5, of: reader)
    let page = Page(
      PageItems(items, received: try stack.count(at: 4, "the number of items")),
      nextKey: try key(at: 6, on: stack), previousKey: try key(at: 7, on: stack),
      total: try total(at: 8, on: stack),
      isLast: stack.truth(at: 9))
    later { [unowned self] in reader.tell(.answered(fetch, .page(page)), in: self) }
    return .nothing
  }

  private func total(at index: Int, on stack: LuaStack) throws(InvalidConfiguration) -> Int? {
    try stack.count(at: index, "total", in: 0...Limits.total)
  }

  /// The items of the list at `index`, encoded, with their ids.
  private func items(
    _ call: HostFunctionCall, at index: Int, ids: Int, of reader: Reader
  ) throws -> [Item] {
    let hasIDs = call.stack.isTable(at: ids)
    let encoded: EncodedItems?
    do throws(JSONError) {
      encoded = try call.stack.encodeItems(
        at: index, idField: hasIDs ? nil : reader.idField, idsIndex: hasIDs ? ids : nil)
    } catch {
      throw HostFunctionError.misuse("\(call.name): \(error.message)")
    }
    guard let encoded else { return [] }
    let bytes = Bytes(
      adopting: encoded.base, count: encoded.count, capacity: encoded.capacity, free: EncodedItems.free)
    return try encoded.entries.enumerated().map { position, entry in
      Item(id: try reader.identity(entry.id, position: position + 1), bytes: bytes[entry.range])
    }
  }
}
