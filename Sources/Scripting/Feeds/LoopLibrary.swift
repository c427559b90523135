import Items
import Lua
import Paging

/// Loops of a script over a source, behind `source:items` and `source:pages`: the next page when it is there, the end, or
/// the error.
final class LoopLibrary: ScriptLibrary {
  private let prelude: Prelude
  private let scheduler: Scheduler
  private let calls: HostCalls
  private let fetches: FetchHost
  private let feeds: FeedHost
  private let definitions: SourceDefinitions
  private let tally: Tally
  private let isCheck: Bool

  init(
    _ prelude: Prelude, _ scheduler: Scheduler, _ calls: HostCalls, _ fetches: FetchHost, _ feeds: FeedHost,
    _ definitions: SourceDefinitions, _ tally: Tally, isCheck: Bool
  ) {
    self.prelude = prelude
    self.scheduler = scheduler
    self.calls = calls
    self.fetches = fetches
    self.feeds = feeds
    self.definitions = definitions
    self.tally = tally
    self.isCheck = isCheck
  }

  /// So many partitions are opened at once. Beyond, each is only where nothing else is to be done: what is open takes memory, and a
  /// script's thread that has no time for it would not be sooner done for having more.
  private static let openAtOnce = 256

  func register(in host: HostTable) {
    host.add("openFeed", "source:items") { [unowned self] call in try open(call) }
    host.add("readIntoSink", "source:partitions") { [unowned self] call in
      let definition = try definitions.definition(call, at: 1)
      let (stream, parameters) = (call.stack.string(at: 3), call.stack.string(at: 4))
      guard try feeds.takes(definition, into: stream, with: parameters) else { return .nothing }
      if call.stack.boolean(at: 5) == true { tally.statistics.partitions.listed += 1 }
      if feeds.readsElsewhere, let parameters {
        feeds.readElsewhere(
          Partition(source: definition.name, stream: stream, parameters: Bytes(parameters)))
      } else {
        try feeds.read(definition, into: stream, isPartition: true)
      }
      let limit = try call.stack.count(at: 2, "limit") ?? 1
      let open = feeds.sinkReaders
      if open >= limit {
        feeds.sinkRoom.wait(try scheduler.waitingTask(call))
        return .waits
      }
      return open < Self.openAtOnce || feeds.readsElsewhere ? .nothing : try calls.wait(call, for: .idle)
    }
    // beginList(count) → whether all of them are known: not where this run reads a share of them.
    host.add("beginList", "source:partitions") { [unowned self] call in
      feeds.hasReadings = true
      feeds.sayWhyAlone()
      let count = feeds.takesAll ? try call.stack.count(at: 1, "parents") : nil
      if let count { tally.statistics.partitions.listed += count }
      if count == nil { tally.statistics.partitions.openLists += 1 }
      call.stack.push(count != nil)
      return .results(1)
    }
    // One of a list that is known was listed before.
    host.add("listedAgain") { [unowned self] _ in
      tally.statistics.partitions.listed -= 1
      return .nothing
    }
    host.add("endList") { [unowned self] _ in
      tally.statistics.partitions.openLists -= 1
      return .nothing
    }
    host.add("carriesPartitions") { [unowned self] call in
      call.stack.push(feeds.carriesPartitions)
      return .results(1)
    }
    host.add("nextItems", "source:items") { [unowned self] call in
      try nextItems(try reader(call), call)
    }
    host.add("moved", "source:items") { [unowned self] call in
      let reader = try reader(call)
      let passed = try call.stack.count(at: 2, "items passed") ?? 0
      feeds.move(reader, to: reader.pageStart + passed)
      return .nothing
    }
    host.add("closeFeed", "source:items") { [unowned self] call in
      if let reader = fetches.reader(call.stack.handle(at: 1)) { fetches.close(reader) }
      return .nothing
    }
  }

  /// openFeed(definition, prefetcher) → id, how often the reader says where it is
  private func open(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    if isCheck { _ = try scheduler.waitingTask(call) }
    let definition = try definitions.definition(call, at: 1)
    let reader = try feeds.open(
      definition, kind: .iterator, prefetcher: call.stack.owner(at: 2) as? ScriptPrefetcher)
    call.stack.push(reader.id)
    call.stack.push(max(1, definition.configuration.options.pageSize / 8))
    return .results(2)
  }

  private func reader(_ call: HostFunctionCall) throws -> FeedReader {
    guard let reader = fetches.reader(call.stack.handle(at: 1)) as? FeedReader else {
      throw HostFunctionError.misuse("\(call.name): this loop is over")
    }
    return reader
  }

  /// The next page's items as a list and their number, or nothing at the end; waits.
  private func nextItems(_ reader: FeedReader, _ function: HostFunctionCall) throws -> HostFunctionAnswer {
    if reader.queue.isEmpty, case .failed(let error)? = reader.ending {
      prelude.push(error, on: function.stack)
      throw HostFunctionError.value
    }
    if reader.hasNews { return .results(try reader.pushNext(on: function.stack)) }
    guard reader.waiting == nil else {
      throw HostFunctionError.misuse(
        "\(function.name): another task waits in this loop: give each task a loop of its own")
    }
    reader.waiting = try scheduler.waitingTask(function)
    if reader.handedOut > 0 { tally.statistics.stalls += 1 }
    return .waits
  }
}
