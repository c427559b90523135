import Items
import Lua
import Paging

/// What a fetch handler does through its context, and the page it returns.
final class FetchLibrary: ScriptLibrary {
  private let turn: Turn
  private let calls: HostCalls
  private let fetches: FetchHost

  init(_ turn: Turn, _ calls: HostCalls, _ fetches: FetchHost) {
    self.turn = turn
    self.calls = calls
    self.fetches = fetches
  }

  func register(in host: HostTable) {
    host.add("append", "context:append") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let items = try items(call, at: 3, ids: 5, of: reader)
      let received = try call.stack.count(at: 4, "the number of items") ?? items.count
      reader.receive(.appended(fetch, items, received: received))
      return .nothing
    }
    host.add("outline", "fetch") { [unowned self] call in try outline(call) }
    host.add("page", "fetch") { [unowned self] call in try page(call) }
    host.add("complete", "context:complete") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let answer = FetchAnswer.completed(
        more: stack.truth(at: 3), nextKey: try stack.key(at: 4), total: try total(at: 5, on: stack))
      turn.enqueue { reader.receive(.answered(fetch, answer)) }
      return .nothing
    }
    host.add("fail", "context:fail") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let failure = FetchFailure(
        code: "failed", message: stack.string(at: 3) ?? "", isTransient: stack.truth(at: 5),
        retryAfter: stack.number(at: 4).map(Duration.init(limitedSeconds:)))
      turn.enqueue { reader.receive(.answered(fetch, .failed(failure))) }
      return .nothing
    }
    host.add("isCancelled", "context:isCancelled") { [unowned self] call in
      call.stack.push(fetch(call) == nil)
      return .results(1)
    }
  }

  /// The reader and fetch named by the first two arguments; nil if the answer is no longer wanted.
  private func fetch(_ call: HostFunctionCall) -> (Reader, FetchID)? {
    guard let reader = fetches.reader(call.stack.handle(at: 1)),
      let wanted = reader.wanted[call.stack.handle(at: 2)]
    else { return nil }
    return (reader, wanted.id)
  }

  /// outline(feed, fetch, received, nextKey, previousKey, total, isLast): the page without its items.
  ///
  /// The next request is sent before the items are built.
  private func outline(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call) else { return .nothing }
    let stack = call.stack
    let page = Page(
      PageItems([], received: try stack.count(at: 3, "the number of items")),
      nextKey: try stack.key(at: 4), previousKey: try stack.key(at: 5), total: try total(at: 6, on: stack),
      isLast: stack.truth(at: 7))
    reader.wanted[fetch.number]?.outline = page
    let before = reader.fetches.count
    reader.receive(.outlined(fetch, page))
    guard reader.fetches.count > before, call.canWait else { return .nothing }
    return try calls.wait(call, for: .sleep(.zero))
  }

  /// page(feed, fetch, items, ids): the items of the outlined page.
  private func page(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call), var page = reader.wanted[fetch.number]?.outline else {
      return .nothing
    }
    page.contents.items = try items(call, at: 3, ids: 4, of: reader)
    turn.enqueue { [page] in reader.receive(.answered(fetch, .page(page))) }
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
