import Items
import Lua
import Paging

/// The feeds of a run: events in, effects carried out for the loop, the sink or the person who reads.
final class FeedHost {
  private let turn: Turn
  private let scheduler: Scheduler
  private let fetches: FetchHost
  private let policies: ScriptPolicies
  private let prefetchers: PrefetcherLibrary
  let outbox: Outbox
  private let run: RunState
  let tally: Tally
  let options: Options
  private let readings: Readings
  private let openings: Openings
  /// Tasks that wait for the end of what the sink reads.
  let sinkRoom: SinkRoom
  /// Whether other programs of the run read partitions.
  var readsElsewhere = false
  /// Why they are not, although copies are wanted; nil once it was said.
  var whyAlone: String?
  /// Those that they read now, with the sources.
  private var elsewhere: [HostCallID: String] = [:]
  private let putOffs: PutOffs
  private let terms = SourceTerms()
  /// Pays for the rows that loops hold.
  let account: LuaAccount

  init(
    _ turn: Turn, _ scheduler: Scheduler, _ fetches: FetchHost, _ policies: ScriptPolicies,
    _ prefetchers: PrefetcherLibrary, _ outbox: Outbox, _ run: RunState, _ tally: Tally,
    account: LuaAccount, _ options: Options
  ) {
    self.account = account
    sinkRoom = SinkRoom(scheduler, tally, outbox)
    readings = Readings(turn, fetches, run, tally, options)
    openings = Openings(turn, run, observe: options.observe)
    putOffs = PutOffs(turn, outbox, run, observe: options.observe)
    self.turn = turn
    self.scheduler = scheduler
    self.fetches = fetches
    self.policies = policies
    self.prefetchers = prefetchers
    self.outbox = outbox
    self.run = run
    self.tally = tally
    self.options = options
    outbox.onAcknowledged = { [unowned self] in acknowledged($0) }
  }

  /// The readers of feeds that are open, in the order in which they were opened.
  private var readers: [FeedReader] { fetches.inOrder.compactMap { $0 as? FeedReader } }

  /// The first reader that wants a page while nothing is on its way to it.
  var idleReader: FeedReader? { readers.first(where: \.isIdle) }

  /// Open readers that give their items to the sink.
  private var openSinks = 0

  /// Whether a source is open that is read again.
  var hasRefreshes: Bool { readings.areOpen || options.refresh != nil && isOpening }

  /// Whether the sink was ever to read a source, or what a list of partitions names.
  var hasReadings = false

  /// Whether a source waits for the sink before it is read, or is read elsewhere.
  var isOpening: Bool { !openings.isEmpty || !elsewhere.isEmpty }

  /// Sources that the sink reads, or is about to.
  var sinkReaders: Int { openings.count + openSinks + elsewhere.count }

  /// Handles a reply to the beginning of a reading, or to a partition; false if it is for something else.
  func replied(_ id: HostCallID, _ reply: HostReply) -> Bool {
    guard let source = elsewhere.removeValue(forKey: id) else { return openings.replied(id, reply) }
    if case .failed(let failure) = reply {
      run.fail(options.failureElsewhere() ?? LuaError(.runtime, "source '\(source)': \(failure.message)"))
    } else {
      sinkRoom.ended(isPartition: true)
    }
    return true
  }

  /// Whether partitions have to be told by parameters that JSON carries.
  var carriesPartitions: Bool { readsElsewhere || options.takes != nil }

  /// Whether this run reads all partitions that there are.
  var takesAll: Bool { options.takes == nil }

  /// Whether this run reads the source with these parameters, a JSON object.
  func takes(_ definition: SourceDefinition, into stream: String?, with parameters: String?) throws -> Bool {
    guard let takes = options.takes else { return true }
    hasReadings = true
    return try takes(try options.partition(of: definition, into: stream, with: parameters))
  }

  /// Has another program of the run read a partition into the sink.
  func readElsewhere(_ partition: Partition) {
    hasReadings = true
    let id = HostCallID(number: turn.nextNumber())
    elsewhere[id] = partition.source
    turn.append(.call(id, .read(partition)))
  }

  /// Nobody waits for the partitions any more that are read elsewhere.
  func abandonPartitions() {
    for id in elsewhere.keys.sorted() { turn.append(.cancel(id)) }
    elsewhere = [:]
  }

  /// Nobody wants the partition of that call any more; false if none is read for it.
  func abandonPartition(of call: HostCallID) -> Bool {
    readers.first { $0.answers == call }.map { fetches.close($0) } != nil
  }

  /// A partition can't be read: that is the end of the run, or of its call once the sink has what came before.
  func fail(_ error: LuaError, of call: HostCallID?) {
    guard let call, let failed = options.partitionFailed else { return run.fail(error) }
    failed(call, error)
    outbox.answer(call, .failed(HostFailure(.cancelled, error.message)))
  }

  /// Has the sink read a source, from where an earlier run has come; a call is answered when the sink has everything.
  func read(
    _ definition: SourceDefinition, into stream: String?, isPartition: Bool = false,
    answering call: HostCallID? = nil
  ) throws {
    hasReadings = true
    // A partition that another program has asked for is counted there.
    if !isPartition, call == nil { tally.statistics.partitions.besides += 1 }
    options.declareTypes(stream, definition.items.types)
    guard options.remembers || options.since != nil || options.until != nil else {
      try open(definition, kind: .sink(stream: stream), isPartition: isPartition, answering: call)
      return
    }
    let request = try options.request(definition, into: stream)
    begin(request, of: definition, isPartition: isPartition, answering: call)
  }

  /// Has the sink begin a reading, or go on with it, and opens the source there.
  private func begin(
    _ request: ReadingRequest, of definition: SourceDefinition, isPartition: Bool, answering call: HostCallID?
  ) {
    openings.begin(request, failed: { [unowned self] in fail($0, of: call) }) { [unowned self] reading in
      if reading.isDone {
        if let call { outbox.answer(call) }
        return sinkRoom.ended(isPartition: isPartition, before: true)
      }
      let reader = try open(
        definition, kind: .sink(stream: request.stream), begun: reading, isPartition: isPartition,
        answering: call)
      guard reading.position != nil, !definition.failsWhenExpired else { return }
      reader.beginAnew = { [unowned self] in
        var request = request
        request.isAnew = true
        begin(request, of: definition, isPartition: isPartition, answering: call)
      }
    }
  }

  /// Items that there will be in the end, as far as the open sources say so, and the streams that they go to; nil while one
  /// does not.
  var expected: (total: Int, streams: Set<String>)? {
    var streams: Set<String> = []
    var total = 0
    for reader in fetches.open {
      guard let reader = reader as? FeedReader, case .sink(let stream) = reader.kind,
        let count = reader.feed.totalCount, reader.refreshing?.isFirst ?? true
      else { return nil }
      if let stream { streams.insert(stream) }
      total += count
    }
    return fetches.isEmpty ? nil : (total, streams)
  }

  /// Loops over sources that are open at once.
  private static let mostReaders = 10_000

  /// Opens a source for a loop or the sink and lets it begin.
  @discardableResult
  func open(
    _ definition: SourceDefinition, kind: FeedReader.Kind, prefetcher: ScriptPrefetcher? = nil,
    begun: BegunReading? = nil, isPartition: Bool = false, answering call: HostCallID? = nil
  ) throws -> FeedReader {
    try scheduler.checkNesting("source '\(definition.name)'")
    guard fetches.open.count < Self.mostReaders else {
      throw HostFunctionError.misuse(
        "source '\(definition.name)': more than \(Self.mostReaders) loops are open at once")
    }
    let policy: any FetchPolicy
    do {
      policy = try policies.policy(of: definition)
    } catch let error as PolicyTextError {
      throw HostFunctionError.misuse("source '\(definition.name)': \(error.sentence)")
    }
    let configuration = try terms.configuration(
      options.feed(definition, for: kind, fetchesDetails: prefetcher != nil, begun), of: definition.name)
    let reader = add(definition, Feed(configuration: configuration, policy: policy), kind, begun)
    reader.prefetcher = prefetcher
    reader.answers = call
    reader.isPartition = isPartition
    if case .sink = kind { reader.refreshing = options.refresh.map(Refreshing.init) }
    reader.line = scheduler.running?.line
    reader.depth = scheduler.running?.depth ?? 0
    reader.work(for: scheduler.running)
    move(reader, to: 0)
    return reader
  }

  /// Opens a source for a person, who says what is seen.
  func openBrowsed(
    _ definition: SourceDefinition, _ configuration: FeedConfiguration, prefetcher: ScriptPrefetcher?
  ) throws -> FeedReader {
    let feed = Feed(configuration: configuration, policy: try policies.policy(of: definition))
    let reader = add(definition, feed, .viewport)
    reader.prefetcher = prefetcher
    return reader
  }

  private func add(
    _ definition: SourceDefinition, _ feed: Feed, _ kind: FeedReader.Kind, _ begun: BegunReading? = nil
  ) -> FeedReader {
    let reader = FeedReader(
      id: turn.nextNumber(), definition: definition, feed: feed, kind: kind, begun: begun, self)
    fetches.add(reader)
    if reader.isSink { openSinks += 1 }
    return reader
  }

  /// Moves the reader's viewport behind the items that it has passed.
  func move(_ reader: FeedReader, to position: Int) {
    reader.position = position
    handle(.advanced(to: position), for: reader)
  }

  /// Gives an event to a reader's feed, and carries out what that asks for.
  func handle(_ event: Event, for reader: FeedReader) {
    guard !reader.isClosed, !beginsAnew(reader, at: event) else { return }
    for effect in reader.feed.handle(event, at: turn.now) where !reader.isClosed {
      switch effect {
      case .fetch(let request):
        options.observe(.fetching(source: reader.name, request, at: turn.now))
        fetches.fetch(request, for: reader)
      case .cancel(let id): fetches.cancelFetch(id, of: reader)
      case .wake(let at): fetches.wake(reader, at: at)
      case .apply(let changes, let revision): apply(changes, revision, to: reader)
      case .prefetch(let change): prefetch(change, for: reader)
      case .removed(let ids): remove(ids, of: reader)
      case .delivered(let fetch, let repeated, let isCompared):
        renew(repeated, deliveredBy: fetch, isCompared: isCompared, of: reader)
      case .reached(let position): mark(reader, .position(reader.feed.withEdits(position)))
      case .ended:
        let mismatch = reader.feed.mismatch
        if let mismatch { tally.coverage.add(mismatch, of: reader.name, reader: reader.id) }
        mark(reader, .end(isComplete: !options.endsEarly && mismatch?.mayLackItems != true))
      case .shiftViewport: break
      case .note(let note):
        tally.statistics.add(note)
        options.observe(.noted(source: reader.name, note, at: turn.now))
      }
    }
    guard !reader.isClosed else { return }
    putOffs.check(reader)
    update(reader)
  }

  /// Begins the reading anew where the list has become another since an earlier run began it.
  private func beginsAnew(_ reader: FeedReader, at event: Event) -> Bool {
    guard let failure = reader.reasonToBeginAnew(at: event) else { return false }
    options.observe(.begunAnew(source: reader.name, since: failure))
    fetches.close(reader)
    reader.beginAnew?()
    return true
  }

  private func apply(_ changes: ChangeSet, _ revision: Int, to reader: FeedReader) {
    if reader.numbersItems { warnOfRepeats(reader, changes.insertedItems) }
    switch reader.kind {
    case .iterator:
      let items = changes.insertedItems + changes.updates.map(\.item)
      if !items.isEmpty { reader.queue.append(items) }
    case .sink(let stream):
      if let twins = reader.twins(among: changes) { return end(reader, .failed(twins)) }
      return give(changes, revision, of: reader, to: stream)
    case .viewport: break
    }
    turn.enqueue { [unowned self] in handle(.applied(revision: revision), for: reader) }
  }

  /// Hands a change set to the sink: as operations where somebody follows them, and otherwise as items.
  private func give(_ changes: ChangeSet, _ revision: Int, of reader: FeedReader, to stream: String?) {
    reader.gaveMore()
    let isFollowed = options.wantsChanges || reader.refreshing != nil
    let count = reader.given.count
    if !isFollowed || changes.isAppend(to: count) {
      let new = changes.insertedItems
      if isFollowed { reader.given += new.lazy.map(\.id) }
      let items = withoutBoundary(
        changes.updates.isEmpty ? new : new + changes.updates.map(\.item), of: reader)
      let acknowledgement = Outbox.Acknowledgement(reader: reader.id, revision: revision, growth: new.count)
      return outbox.append(
        items, stream: stream, reading: reader.begun?.id, isNumbered: reader.numbersItems && !isFollowed,
        acknowledgement)
    }
    guard let operations = try? changes.operations(on: &reader.given) else {
      preconditionFailure("\(reader.name): revision \(revision) is not one of its items")
    }
    outbox.append(
      operations, stream: stream, reading: reader.begun?.id,
      Outbox.Acknowledgement(reader: reader.id, revision: revision, growth: reader.given.count - count))
  }

  /// The sink has taken a revision.
  private func acknowledged(_ acknowledgement: Outbox.Acknowledgement) {
    guard let reader = fetches.reader(acknowledgement.reader) as? FeedReader else { return }
    handle(.applied(revision: acknowledgement.revision), for: reader)
    move(reader, to: reader.position + acknowledgement.growth)
  }

  /// Begins the readings of these readers whose time has come.
  func readAgain(_ readers: [Reader]) {
    for case let reader as FeedReader in readers {
      guard !reader.isClosed, let due = reader.refreshing?.dueAt, due <= turn.now else { continue }
      reader.refreshing?.begin()
      reader.startOver()
      tally.coverage.forget(reader.id)
      handle(.refreshed(.start), for: reader)
    }
  }

  /// Nothing happens before the next wake: a person is warned where a policy lets a reader wait for long.
  func warnOfPostponement(until next: Instant) {
    if putOffs.isLong(until: next) { for reader in readers { putOffs.warn(of: reader) } }
  }

  /// A list of partitions begins that are read here, although copies are wanted.
  func sayWhyAlone() {
    guard let why = whyAlone else { return }
    whyAlone = nil
    options.observe(.logged(level: "warn", message: "the script reads on one thread: \(why)", fields: []))
  }

  /// A fetch starts for the reader.
  func began(_ request: FetchRequest, for reader: FeedReader) {
    if case .viewport = reader.kind { options.began(request, turn.now) }
  }

  /// Resumes the reader's task where there is something for it, and closes the reader at the end of its source.
  func update(_ reader: FeedReader) {
    let ending = reader.ending
    let isCut = if case .cut? = ending { true } else { false }
    if isCut { tally.coverage.isCut = true }
    switch reader.kind {
    case .iterator: offer(reader)
    case .sink:
      guard let ending else { return }
      if reader.refreshing != nil, !isCut { return readings.finished(reader, ending) }
      if !reader.goesOn(behind: ending) { end(reader, ending) }
    case .viewport: break
    }
  }

  /// The sink has what it gets of a source.
  func end(_ reader: FeedReader, _ ending: FeedReader.Ending) {
    fetches.close(reader)
    if case .failed(let error) = ending {
      if let place = reader.placeOfBeginning {
        options.observe(.broughtNothing(place, source: reader.name))
      }
      fail(error, of: reader.answers)
    } else if let call = reader.answers {
      outbox.answer(call)
    }
    sinkRoom.ended(isPartition: reader.isPartition)
  }

  /// Resumes the loop that waits for this feed, when there is something for it.
  private func offer(_ reader: FeedReader) {
    guard let task = reader.waiting, reader.hasNews else { return }
    reader.waiting = nil
    scheduler.resume(task) { stack throws(LuaError) in try reader.pushNext(on: stack) }
  }

  /// What lies ahead of a reader is prefetched, what it has passed is not.
  private func prefetch(_ change: PrefetchRange.Change, for reader: FeedReader) {
    guard let owner = reader.prefetcher else { return }
    prefetchers.cancelPrefetch(change.cancelled, with: owner)
    prefetchers.prefetch(change.wanted, with: owner)
  }

  /// The reader is gone: nothing is prefetched for it any more.
  func closed(_ reader: FeedReader) {
    if reader.isSink { openSinks -= 1 }
    for case .prefetch(let change) in reader.feed.handle(.closed, at: turn.now) {
      prefetch(change, for: reader)
    }
  }
}
