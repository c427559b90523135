import Items
import JSON
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
    registerRemembering(in: host)
    host.add("append", "context:append") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let items = try items(call, at: 3, ids: 5, bookmarks: 6, of: reader, fetch)
      let received = try call.stack.count(at: 4, "the number of items") ?? items.count
      // What is gone may be appended again.
      if let removed = reader[fetch.number]?.removed, !removed.isEmpty {
        reader[fetch.number]?.removed = []
        reader.receive(.removed(fetch, removed))
      }
      reader.receive(.appended(fetch, items, received: received))
      return .nothing
    }
    host.add("outline", "fetch") { [unowned self] call in try outline(call) }
    host.add("page", "fetch") { [unowned self] call in try page(call) }
    host.add("complete", "context:complete") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let removed = reader[fetch.number]?.removed ?? []
      if !removed.isEmpty { reader.receive(.removed(fetch, removed)) }
      return answer(
        .completed(
          more: stack.truth(at: 3), nextKey: try stack.key(at: 4), total: try total(at: 5, on: stack)),
        to: fetch, of: reader, call)
    }
    host.add("fail", "context:fail") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let failure = FetchFailure(
        code: "failed", message: stack.shownString(at: 3) ?? "", isTransient: stack.truth(at: 5),
        retryAfter: stack.number(at: 4).map(Duration.init(limitedSeconds:)))
      return answer(.failed(failure), to: fetch, of: reader, call)
    }
    host.add("isCancelled", "context:isCancelled") { [unowned self] call in
      call.stack.push(fetch(call) == nil)
      return .results(1)
    }
  }

  /// Answers a fetch whose handler may go on; the script gets to know that the answer was wanted.
  private func answer(
    _ answer: FetchAnswer, to fetch: FetchID, of reader: Reader, _ call: HostFunctionCall
  ) -> HostFunctionAnswer {
    call.stack.push(fetches.answered(fetch, of: reader))
    turn.enqueue { reader.receive(.answered(fetch, answer)) }
    return .results(1)
  }

  private func registerRemembering(in host: HostTable) {
    host.add("remembers", "fetch") { [unowned self] call in
      let reader = fetches.reader(call.stack.handle(at: 1))
      call.stack.push(reader?.begun != nil || reader?.newerVersions != nil)
      return .results(1)
    }
    host.add("newBookmark", "fetch") { [unowned self] call in
      guard let reader = fetches.reader(call.stack.handle(at: 1)),
        let bookmark = reader.newBookmark
      else { return .nothing }
      try bookmark.withUnsafeBytes { try call.stack.pushJSON($0) }
      return .results(1)
    }
    host.add("isLater") { call in
      let (one, other) = (call.stack.string(at: 1), call.stack.string(at: 2))
      call.stack.push(one.flatMap { one in other.map { one.isLaterBookmark(than: $0) } } ?? false)
      return .results(1)
    }
    host.add("keepBookmark", "context.newBookmark") { [unowned self] call in
      guard let reader = fetches.reader(call.stack.handle(at: 1)) else { return .nothing }
      reader.newBookmark = try bookmark(call, at: 2, of: reader)
      if call.stack.truth(at: 3) { reader.newerVersions?.giveWay() }
      return .nothing
    }
    host.add("keepPageBookmark", "fetch") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      reader.newerVersions?.landed(fetch, try bookmark(call, at: 3, of: reader))
      return .nothing
    }
    host.add("remove", "isRemoved") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      reader[fetch.number]?.removed += try items(call, at: 3, ids: 4, of: reader).map(\.id)
      return .nothing
    }
    host.add("removeIDs", "removed") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      reader[fetch.number]?.removed += try removedIDs(call.stack, at: 3, of: reader)
      return .nothing
    }
  }

  private func bookmark(_ call: HostFunctionCall, at index: Int, of reader: Reader) throws -> Bytes {
    do throws(JSONError) {
      return Bytes(try call.stack.json(at: index))
    } catch {
      throw HostFunctionError.misuse("source '\(reader.name)': a bookmark has to be JSON: \(error.message)")
    }
  }

  /// The ids in the list at `index`; one of several parts is a list, whose numbers are those that scripts see, as in the ids of items.
  private func removedIDs(_ stack: LuaStack, at index: Int, of reader: Reader) throws -> [ItemID] {
    var ids: [ItemID] = []
    let digits = stack.elementDigits(of: index)
    for position in stride(from: 1, through: stack.length(of: index), by: 1) {
      stack.pushElement(position, of: index)
      defer { stack.pop() }
      if stack.isTable(at: -1) {
        ids.append(.text(try stack.canonicalJSON(at: -1)))
      } else if let number = digits[position], let natural = UInt64(number), natural > Int64.max {
        ids.append(.text(number))
      } else if !stack.isString(at: -1), let number = stack.integer(at: -1) {
        ids.append(.integer(number))
      } else if stack.isString(at: -1), let text = stack.string(at: -1) {
        try stack.raiseFault("source '\(reader.name)': removed[\(position)]")
        ids.append(.text(text))
      } else {
        throw HostFunctionError.misuse(
          "source '\(reader.name)': removed[\(position)] is a \(stack.typeName(at: -1)) (expected an id: a string or an integer)"
        )
      }
    }
    return ids
  }

  /// The reader and fetch named by the first two arguments; nil if the answer is no longer wanted.
  private func fetch(_ call: HostFunctionCall) -> (Reader, FetchID)? {
    guard let reader = fetches.reader(call.stack.handle(at: 1)),
      let flight = reader[call.stack.handle(at: 2)]
    else { return nil }
    return (reader, flight.id)
  }

  /// outline(feed, fetch, received, nextKey, previousKey, total, isLast, isLong): the page without its items.
  ///
  /// The next request is sent before the items are built, where that is `isLong`. No page goes past one that waits for that: they are
  /// built in the order in which they came.
  private func outline(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call) else { return .nothing }
    let stack = call.stack
    var page = Page(
      PageItems(
        [], received: try stack.count(at: 3, "the number of items"), removed: reader.told(by: fetch.number)),
      nextKey: try stack.key(at: 4), previousKey: try stack.key(at: 5), total: try total(at: 6, on: stack),
      isLast: stack.truth(at: 7))
    page.goesOn = !stack.isNil(at: 7) && !page.isLast
    reader[fetch.number]?.outline = page
    let before = reader.flights.count
    reader.receive(.outlined(fetch, page))
    let letsOut = reader.flights.count > before && stack.truth(at: 8)
    guard letsOut || reader.waitingPages > 0, call.canWait else { return .nothing }
    reader.waitingPages += 1
    return try calls.wait(call, for: .sleep(.zero)) { _, _ in
      reader.waitingPages -= 1
      return 0
    }
  }

  /// page(feed, fetch, items, ids, bookmarks): the items of the outlined page.
  private func page(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call), var page = reader[fetch.number]?.outline else {
      return .nothing
    }
    page.contents.items = try items(call, at: 3, ids: 4, bookmarks: 5, of: reader, fetch)
    let removed = reader[fetch.number]?.removed ?? []
    if !removed.isEmpty { reader.receive(.removed(fetch, removed)) }
    turn.enqueue { [page] in reader.receive(.answered(fetch, .page(page))) }
    return .nothing
  }

  private func total(at index: Int, on stack: LuaStack) throws(InvalidConfiguration) -> Int? {
    try stack.count(at: index, "total", in: 0...Limits.total)
  }

  /// The items of the list at `index`, encoded, with their ids, of versions of one item the newest first.
  private func items(
    _ call: HostFunctionCall, at index: Int, ids: Int, bookmarks: Int, of reader: Reader, _ fetch: FetchID
  ) throws -> [Item] {
    var items = try items(call, at: index, ids: ids, of: reader)
    guard reader.newerVersions != nil else { return items }
    var given: [Bytes?] = []
    if call.stack.isTable(at: bookmarks) {
      for place in items.indices {
        call.stack.pushElement(place + 1, of: bookmarks)
        defer { call.stack.pop() }
        given.append(call.stack.truth(at: -1) ? try bookmark(call, at: -1, of: reader) : nil)
      }
    }
    reader.newerVersions?.sort(&items, of: fetch, bookmarks: given)
    return items
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
    return try encoded.indices.map { place in
      Item(
        id: try reader.identity(encoded.id(at: place), position: place + 1),
        bytes: bytes[encoded.range(at: place)])
    }
  }
}
