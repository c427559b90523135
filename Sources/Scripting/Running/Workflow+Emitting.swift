import Items
import Lua
import Paging

/// The way to the sink.
extension Workflow {
  /// Sends what may be sent.
  func flush() {
    while let (id, delivery) = outbox.next(nextNumber) {
      let delivery = withinLimit(delivery)
      count(delivery)
      effects.append(.call(id, .emit(delivery)))
      guard let limit = options.limit, statistics.items >= limit else { continue }
      outbox.discard()
      coverage.isCut = true
      later { [unowned self] in stop() }
    }
  }

  /// The sink has taken a delivery, or cannot.
  func delivered(_ id: HostCallID, _ reply: HostReply) {
    let acknowledged = outbox.acknowledged
    if case .failed(let failure) = reply {
      outbox.discard()
      return fail(LuaError(failure, code: "sink"))
    }
    for part in acknowledged {
      guard let reader = readers[part.reader] as? FeedReader else { continue }
      tell(reader, .applied(revision: part.revision))
      move(reader, to: reader.position + part.growth)
    }
    if !outbox.isFull {
      for task in outbox.blocked { resume(task) { _ in 0 } }
      outbox.blocked = []
    }
  }

  /// Hands a change set of a feed to the sink: new items as they are; whatever else happened step by step where somebody
  /// follows it, and otherwise new forms as items.
  func give(_ changes: ChangeSet, _ revision: Int, of reader: FeedReader, to stream: String?) {
    let isFollowed = options.wantsChanges || reader.refreshing != nil
    let count = reader.given.count
    if !isFollowed || changes.isAppend(to: count) {
      let new = changes.insertedItems
      if isFollowed { reader.given += new.lazy.map(\.id) }
      let items = changes.updates.isEmpty ? new : new + changes.updates.map(\.item)
      let acknowledgement = Outbox.Acknowledgement(reader: reader.id, revision: revision, growth: new.count)
      return outbox.append(items, stream: stream, acknowledgement)
    }
    do {
      let operations = try changes.operations(on: &reader.given)
      outbox.append(
        operations, stream: stream,
        Outbox.Acknowledgement(
          reader: reader.id, revision: revision, growth: reader.given.count - count))
    } catch {
      preconditionFailure("\(reader.name), revision \(revision): \(error)")
    }
  }

  /// An item of the script's, for the sink; waits while the sink is behind.
  func emit(_ function: HostFunctionCall) throws -> HostFunctionAnswer {
    if decision.isUnderWay {
      throw HostFunctionError.misuse(
        "lookahead.emit: a policy only decides: emit from the fetch handler, or from a loop over the source")
    }
    let stack = function.stack
    let stream = stack.string(at: 2)
    let bytes: Bytes
    do {
      bytes = try stack.withJSON(at: 1) { Bytes(copying: $0) }
    } catch {
      throw HostFunctionError.misuse("lookahead.emit: \(error.message)")
    }
    if options.isCheck { return .nothing }
    if let prompt {
      prompt.options.emitted(bytes.string, stream)
      return .nothing
    }
    outbox.append(Item(id: emittedID(stack), bytes: bytes), stream: stream)
    guard outbox.isFull, function.canWait else {
      if outbox.isFull { flush() }
      return .nothing
    }
    flush()
    guard outbox.isFull else { return .nothing }
    outbox.blocked.append(try waitingTask(function))
    return .waits
  }

  /// The item's own id where it has one, else its number.
  private func emittedID(_ stack: LuaStack) -> ItemID {
    emittedItems += 1
    let number = ItemID.integer(Int64(emittedItems))
    guard stack.isTable(at: 1) else { return number }
    stack.pushField("id", of: 1)
    defer { stack.pop() }
    if let id = stack.integer(at: -1) { return .integer(id) }
    return stack.string(at: -1).map { .text($0) } ?? number
  }

  /// New items beyond the limit are left out. A change set is whole, so that the sink's items are those of one reading.
  private func withinLimit(_ delivery: Delivery) -> Delivery {
    guard let limit = options.limit else { return delivery }
    let room = max(0, limit - statistics.items)
    var delivery = delivery
    delivery.items.removeLast(max(0, delivery.items.count - room))
    return delivery
  }

  private func count(_ delivery: Delivery) {
    let count = delivery.itemCount
    statistics.items += count
    statistics.removals += delivery.operations.count { if case .remove = $0 { true } else { false } }
    if let stream = delivery.stream { statistics.itemsPerStream[stream, default: 0] += count }
  }
}

extension LuaError {
  init(_ failure: HostFailure, code: String) {
    self.init(failure)
    self.code = code
  }
}
