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
      move(reader, to: reader.pageStart + Int(call.stack.integer(at: 2) ?? 0))
      return .nothing
    }
    host.add("closeFeed", "source:items") { [unowned self] call in
      if let id = call.stack.integer(at: 1), let reader = readers[Int(id)] { close(reader) }
      return .nothing
    }
    host.add("append", "context:append") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let items = try items(call, at: 3, ids: 5, of: reader)
      tell(reader, .appended(fetch, items, received: Int(call.stack.integer(at: 4) ?? 0)))
      return .nothing
    }
    host.add("page", "fetch") { [unowned self] call in try page(call) }
    host.add("complete", "context:complete") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let answer = FetchAnswer.completed(
        more: stack.truth(at: 3), nextKey: try key(at: 4, on: stack), total: stack.integer(at: 5).map(Int.init))
      later { [unowned self] in tell(reader, .answered(fetch, answer)) }
      return .nothing
    }
    host.add("fail", "context:fail") { [unowned self] call in
      guard let (reader, fetch) = fetch(call) else { return .nothing }
      let stack = call.stack
      let failure = FetchFailure(
        code: "failed", message: stack.string(at: 3) ?? "", isTransient: stack.truth(at: 5),
        retryAfter: stack.number(at: 4).map { .seconds($0) })
      reader.error = LuaError(failure)
      later { [unowned self] in tell(reader, .answered(fetch, .failed(failure))) }
      return .nothing
    }
    host.add("isCancelled", "context:isCancelled") { [unowned self] call in
      call.stack.push(fetch(call) == nil)
      return .results(1)
    }
  }

  /// openFeed(definition) → id, how often the reader says where it is
  private func openFeed(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    if options.isCheck { _ = try waitingTask(call) }
    let definition: SourceDefinition
    do throws(InvalidConfiguration) {
      definition = try SourceDefinition(
        state, at: 1, on: call.stack, overrides: options.overrides, seed: options.seed)
    } catch {
      throw HostFunctionError.misuse(error.text)
    }
    let reader = try open(definition, kind: .iterator)
    call.stack.push(reader.id)
    call.stack.push(max(1, definition.configuration.options.pageSize / 8))
    return .results(2)
  }

  private func reader(_ call: HostFunctionCall) throws -> FeedReader {
    guard let id = call.stack.integer(at: 1), let reader = readers[Int(id)] else {
      throw HostFunctionError.misuse("\(call.name): this loop is over")
    }
    return reader
  }

  /// The reader and fetch named by the first two arguments; nil when nobody wants the answer any more.
  private func fetch(_ call: HostFunctionCall) -> (FeedReader, FetchID)? {
    guard let feed = call.stack.integer(at: 1), let number = call.stack.integer(at: 2),
      let reader = readers[Int(feed)], let id = reader.wanted[Int(number)]
    else { return nil }
    return (reader, id)
  }

  /// page(feed, fetch, items, received, ids, nextKey, previousKey, total, isLast)
  private func page(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    guard let (reader, fetch) = fetch(call) else { return .nothing }
    let stack = call.stack
    let items = try items(call, at: 3, ids: 5, of: reader)
    let page = Page(
      PageItems(items, received: stack.integer(at: 4).map(Int.init)), nextKey: try key(at: 6, on: stack),
      previousKey: try key(at: 7, on: stack), total: stack.integer(at: 8).map(Int.init),
      isLast: stack.truth(at: 9))
    later { [unowned self] in tell(reader, .answered(fetch, .page(page))) }
    return .nothing
  }

  /// The items of the list at `index`, encoded, with their ids.
  private func items(
    _ call: HostFunctionCall, at index: Int, ids: Int, of reader: FeedReader
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

extension FeedReader {
  /// The item's id; its number where the source has no ids at all.
  func identity(_ id: EncodedItems.ID, position: Int) throws -> ItemID {
    switch id {
    case .integer(let value):
      hasIDs = true
      return .integer(value)
    case .text(let value):
      hasIDs = true
      return .text(value)
    case .none where !isIDDeclared && !hasIDs:
      anonymousItems += 1
      return .integer(Int64(anonymousItems))
    case .none, .other:
      let field = idField.map { "no usable '\($0)'" } ?? "no usable id"
      throw HostFunctionError.misuse(
        "source '\(name)': item \(position) of the page has \(field) (expected a string or an integer): "
          + "name the right field with id = \"…\", give a function, or id = false when items have none")
    }
  }
}

extension InvalidConfiguration {
  /// In words, for a script's author.
  var text: String { "\(option): expected \(expected), got \(value)" }
}
