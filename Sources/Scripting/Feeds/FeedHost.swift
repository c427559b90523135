import Items
import Lua
import Paging

/// The feeds of a run: events in, effects carried out for the loop, the sink or the person who reads.
final class FeedHost {
  /// What a host of feeds knows of the run.
  struct Options {
    /// Pages of each source after which its reader has enough.
    var maxPages: Int?
    /// Sources of the sink are read again and again.
    var refresh: RefreshRule?
    /// The sink follows what happens to items, step by step.
    var wantsChanges = false
    /// Takes what feeds have to say.
    var observe: (Observation) -> Void = { _ in }
    /// Called for every fetch that begins for a person who browses.
    var began: (FetchRequest, Instant) -> Void = { _, _ in }
    /// Called once, when the sink has taken a whole reading of every source that is read again.
    var firstReadingsTaken: () -> Void = {}
  }

  private let turn: Turn
  private let scheduler: Scheduler
  private let fetches: FetchHost
  private let policies: ScriptPolicies
  private let prefetchers: PrefetcherLibrary
  private let outbox: Outbox
  private let run: RunState
  private let tally: Tally
  private let options: Options
  private let readings: Readings
  private let putOffs: PutOffs
  /// Pays for the rows that loops hold.
  let account: LuaAccount

  init(
    _ turn: Turn, _ scheduler: Scheduler, _ fetches: FetchHost, _ policies: ScriptPolicies,
    _ prefetchers: PrefetcherLibrary, _ outbox: Outbox, _ run: RunState, _ tally: Tally,
    account: LuaAccount, _ options: Options
  ) {
    self.account = account
    readings = Readings(turn, fetches, run, tally, options)
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

  /// Whether a reader gives its items to the sink.
  var hasSink: Bool { fetches.open.contains { ($0 as? FeedReader)?.isSink ?? false } }

  /// Whether a source is open that is read again.
  var hasRefreshes: Bool { readings.areOpen }

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
  func open(
    _ definition: SourceDefinition, kind: FeedReader.Kind, prefetcher: ScriptPrefetcher? = nil
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
    let feed = Feed(configuration: try configuration(of: definition, for: kind), policy: policy)
    let reader = add(definition, feed, kind)
    if case .sink = kind { reader.refreshing = options.refresh.map(Refreshing.init) }
    reader.line = scheduler.running?.line
    reader.depth = scheduler.running?.depth ?? 0
    move(reader, to: 0)
    reader.details = prefetcher.map { DetailWindow($0) }
    return reader
  }

  /// Opens a source for a person, who says what is seen.
  func openBrowsed(
    _ definition: SourceDefinition, _ configuration: FeedConfiguration, prefetcher: ScriptPrefetcher?
  ) throws -> FeedReader {
    let feed = Feed(configuration: configuration, policy: try policies.policy(of: definition))
    let reader = add(definition, feed, .viewport)
    reader.places = ListPlaces()
    reader.details = prefetcher.map { DetailWindow($0) }
    return reader
  }

  private func add(_ definition: SourceDefinition, _ feed: Feed, _ kind: FeedReader.Kind) -> FeedReader {
    let reader = FeedReader(id: turn.nextNumber(), definition: definition, feed: feed, kind: kind, self)
    fetches.add(reader)
    return reader
  }

  /// How a source is read by that reader: one that is read again keeps its items, to tell what differs.
  private func configuration(
    of definition: SourceDefinition, for kind: FeedReader.Kind
  ) throws(InvalidConfiguration) -> FeedConfiguration {
    guard case .sink = kind, options.refresh != nil else { return definition.configuration }
    var options = definition.configuration.options
    options.releasesPassedItems = false
    options.refreshExtent = .everything
    return try FeedConfiguration(options)
  }

  /// The reader has passed so many items.
  func move(_ reader: FeedReader, to position: Int) {
    reader.position = position
    handle(.viewportMoved(reader.viewport(at: turn.now)), for: reader)
  }

  /// Gives an event to a reader's feed, and carries out what that asks for.
  func handle(_ event: Event, for reader: FeedReader) {
    guard !reader.isClosed, !reader.isCut else { return }
    let effects = reader.feed.handle(event, at: turn.now)
    for effect in effects {
      switch effect {
      case .fetch(let request):
        reader.putOff = nil
        if hasRoom(for: reader) {
          fetches.fetch(request, for: reader)
        } else {
          reader.withheld.append(request)
        }
      case .cancel(let id):
        reader.withheld.removeAll { $0.id == id }
        fetches.cancelFetch(id, of: reader)
      case .wake(let at): reader.wakeAt = at
      case .apply(let changes, let revision): apply(changes, revision, to: reader)
      case .shiftViewport: break
      case .note(let note): observe(note, of: reader)
      }
      if isAtPageLimit(reader) { break }
    }
    if let next = reader.places?.watch(effects, of: reader.feed, at: turn.now) {
      turn.enqueue { [unowned self] in handle(next, for: reader) }
    }
    update(reader)
  }

  private func observe(_ note: Note, of reader: FeedReader) {
    switch note {
    case .landed(let id, _, _): if options.maxPages != nil { reader.landed.insert(id.number) }
    case .delivered(_, _, _, let duplicates):
      tally.statistics.pages += 1
      tally.statistics.duplicates += duplicates
      reader.pages += 1
    case .retrying: tally.statistics.retries += 1
    case .disagreedWithTotal(_, let mismatch):
      tally.coverage.add(mismatch, of: reader.name, reader: reader.id)
    case .refreshing: tally.coverage.forget(reader.id)
    case .decided(_, let verdict): if verdict.wait != nil { putOffs.add(reader) }
    default: break
    }
    options.observe(.noted(source: reader.name, note, at: turn.now))
  }

  private func apply(_ changes: ChangeSet, _ revision: Int, to reader: FeedReader) {
    switch reader.kind {
    case .iterator:
      let items = changes.insertedItems + changes.updates.map(\.item)
      if !items.isEmpty { reader.queue.append(items) }
      reader.details?.append(items)
    case .sink(let stream): return give(changes, revision, of: reader, to: stream)
    case .viewport: break
    }
    turn.enqueue { [unowned self] in handle(.applied(revision: revision), for: reader) }
  }

  /// Hands a change set to the sink: new items as they are; whatever else happened step by step where somebody follows it,
  /// and otherwise new forms as items.
  private func give(_ changes: ChangeSet, _ revision: Int, of reader: FeedReader, to stream: String?) {
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

  /// The sink has taken a revision.
  private func acknowledged(_ acknowledgement: Outbox.Acknowledgement) {
    guard let reader = fetches.reader(acknowledgement.reader) as? FeedReader else { return }
    handle(.applied(revision: acknowledgement.revision), for: reader)
    move(reader, to: reader.position + acknowledgement.growth)
  }

  /// Begins the readings whose time has come.
  func readAgain() {
    for reader in readers {
      guard let due = reader.refreshing?.dueAt, due <= turn.now else { continue }
      reader.refreshing?.begin()
      reader.startOver()
      handle(.refreshed(.start), for: reader)
    }
  }

  /// Nothing happens before the next wake: a person is warned where a policy lets a reader wait for long.
  func warnOfPutOffs(until next: Instant) {
    if putOffs.isLong(until: next) { for reader in readers { putOffs.warn(of: reader) } }
  }

  private func isAtPageLimit(_ reader: FeedReader) -> Bool {
    options.maxPages.map { reader.pages >= $0 } ?? false
  }

  /// Whether a limit of pages leaves room for one more: what is in and what is under way count.
  private func hasRoom(for reader: FeedReader) -> Bool {
    guard let limit = options.maxPages else { return true }
    return reader.landed.count + reader.fetches.keys.count { !reader.landed.contains($0) } < limit
  }

  /// A fetch starts for the reader.
  func began(_ request: FetchRequest, for reader: FeedReader) {
    if case .viewport = reader.kind { options.began(request, turn.now) }
  }

  /// A fetch of the reader is over: what it withheld may have room now.
  func fetchEnded(of reader: FeedReader) {
    if !reader.withheld.isEmpty { turn.enqueue { [unowned self] in resumeWithheld(reader) } }
  }

  /// Goes on with a page that was withheld, where nothing else is under way that would lead to the limit: the first in the
  /// order of the keys, as it may fill a gap.
  private func resumeWithheld(_ reader: FeedReader) {
    guard reader.fetches.isEmpty, !reader.isClosed, !reader.isCut, !isAtPageLimit(reader) else { return }
    let place = reader.withheld.indices.min { reader.withheld[$0].number < reader.withheld[$1].number }
    if let place { fetches.fetch(reader.withheld.remove(at: place), for: reader) }
  }

  /// Ends a loop behind the pages that it has: what is in flight is cancelled.
  private func cut(_ reader: FeedReader) {
    guard !reader.isCut else { return }
    reader.isCut = true
    tally.coverage.isCut = true
    fetches.cancelFetches(of: reader)
  }

  /// Resumes whoever waits for this feed, and closes what is at its end.
  private func update(_ reader: FeedReader) {
    switch reader.kind {
    case .iterator:
      if isAtPageLimit(reader) { cut(reader) }
      follow(reader.details?.move(to: reader.position, length: reader.length), of: reader)
      offer(reader)
    case .sink:
      if isAtPageLimit(reader) {
        tally.coverage.isCut = true
        return fetches.close(reader)
      }
      guard let ending = reader.ending else { return }
      if reader.refreshing != nil { return readings.finished(reader, ending) }
      if case .failed(let error) = ending { run.fail(error) }
      fetches.close(reader)
    case .viewport: lookAround(reader)
    }
  }

  /// Resumes the loop that waits for this feed, when there is something for it.
  private func offer(_ reader: FeedReader) {
    guard let task = reader.waiting, reader.hasNews else { return }
    reader.waiting = nil
    scheduler.resume(task) { stack throws(LuaError) in try reader.pushNext(on: stack) }
  }

  /// The person sees other rows, or other rows are there: their details are prefetched, those of rows that were rushed past
  /// are not. Rows are places, which stay as they are when far ones are let go.
  private func lookAround(_ reader: FeedReader) {
    guard reader.details != nil, let places = reader.places, let position = reader.detailPosition else {
      return
    }
    let items = reader.feed.items
    follow(reader.details?.range.move(to: position) { items[$0 - places.start]?.id }, of: reader)
  }

  /// What lies ahead of a reader is prefetched, what it has passed is not.
  private func follow(_ change: PrefetchRange.Change?, of reader: FeedReader) {
    guard let change, let owner = reader.details?.prefetcher else { return }
    prefetchers.cancelPrefetch(change.cancelled, with: owner)
    prefetchers.prefetch(change.wanted, with: owner)
  }

  /// The reader is gone: nothing is prefetched for it any more.
  func closed(_ reader: FeedReader) {
    guard let owner = reader.details?.prefetcher, let ids = reader.details?.range.end() else { return }
    reader.details = nil
    prefetchers.cancelPrefetch(ids, with: owner)
  }
}
