import Items
import Lua
import Paging

/// Feeds: events in, effects carried out.
extension Workflow {
  /// Opens a source for a reader and lets it begin.
  func open(_ definition: SourceDefinition, kind: FeedReader.Kind) throws -> FeedReader {
    try checkNesting("source '\(definition.name)'")
    guard readers.count < Self.mostReaders else {
      throw HostFunctionError.misuse(
        "source '\(definition.name)': more than \(Self.mostReaders) loops are open at once")
    }
    let policy: any FetchPolicy
    do {
      policy = try self.policy(of: definition)
    } catch let error as PolicyTextError {
      throw HostFunctionError.misuse("source '\(definition.name)': \(error.sentence)")
    }
    let feed = Feed(configuration: try configuration(of: definition, for: kind), policy: policy)
    let reader = FeedReader(id: nextNumber(), definition: definition, feed: feed, kind: kind)
    if case .sink = kind { reader.refreshing = options.refresh.map(Refreshing.init) }
    reader.line = running?.line
    reader.depth = running?.depth ?? 0
    readers[reader.id] = reader
    move(reader, to: 0)
    return reader
  }

  /// The reader has passed so many items.
  func move(_ reader: FeedReader, to position: Int) {
    reader.position = position
    tell(reader, .viewportMoved(reader.viewport(at: now)))
  }

  /// Tells a feed what happened, and carries out what it asks for.
  func tell(_ reader: FeedReader, _ event: Event) {
    guard !reader.isClosed, !reader.isCut else { return }
    let effects = reader.feed.handle(event, at: now)
    for effect in effects {
      switch effect {
      case .fetch(let request):
        reader.putOff = nil
        if hasRoom(for: reader) { fetch(request, for: reader) } else { reader.withheld.append(request) }
      case .cancel(let id):
        reader.withheld.removeAll { $0.id == id }
        cancelFetch(id, of: reader)
      case .wake(let at): reader.wakeAt = at
      case .apply(let changes, let revision): apply(changes, revision, to: reader)
      case .shiftViewport: break
      case .note(let note): take(note, of: reader)
      }
      if isAtPageLimit(reader) { break }
    }
    follow(effects, of: reader)
    update(reader)
  }

  private func take(_ note: Note, of reader: FeedReader) {
    switch note {
    case .landed(let id, _, _): if options.maxPages != nil { reader.landed.insert(id.number) }
    case .delivered(_, _, _, let duplicates):
      statistics.pages += 1
      statistics.duplicates += duplicates
      reader.pages += 1
    case .retrying: statistics.retries += 1
    case .disagreedWithTotal(_, let mismatch): coverage.add(mismatch, of: reader)
    case .refreshing: coverage.forget(reader)
    case .decided(_, let verdict): if verdict.wait != nil { putOff(reader) }
    default: break
    }
    options.observe(.noted(source: reader.name, note, at: now))
  }

  private func apply(_ changes: ChangeSet, _ revision: Int, to reader: FeedReader) {
    switch reader.kind {
    case .iterator:
      let items = changes.insertedItems + changes.updates.map(\.item)
      if !items.isEmpty { reader.queue.append(items) }
      reader.details?.append(items)
      later { [unowned self] in tell(reader, .applied(revision: revision)) }
    case .sink(let stream):
      give(changes, revision, of: reader, to: stream)
    case .viewport:
      later { [unowned self] in tell(reader, .applied(revision: revision)) }
    }
  }

  private func isAtPageLimit(_ reader: FeedReader) -> Bool {
    options.maxPages.map { reader.pages >= $0 } ?? false
  }

  /// Whether a limit of pages leaves room for one more: what is in and what is under way count.
  private func hasRoom(for reader: FeedReader) -> Bool {
    guard let limit = options.maxPages else { return true }
    return reader.landed.count + reader.fetches.keys.count { !reader.landed.contains($0) } < limit
  }

  /// Goes on with a page that was withheld, where nothing else is under way that would lead to the limit: the first in the
  /// order of the keys, as it may fill a gap.
  func goOnWithheld(_ reader: FeedReader) {
    guard reader.fetches.isEmpty, !reader.isClosed, !reader.isCut, !isAtPageLimit(reader) else { return }
    let place = reader.withheld.indices.min { reader.withheld[$0].number < reader.withheld[$1].number }
    if let place { fetch(reader.withheld.remove(at: place), for: reader) }
  }

  /// Ends a loop behind the pages that it has: what is in flight is cancelled.
  private func cut(_ reader: FeedReader) {
    guard !reader.isCut else { return }
    reader.isCut = true
    coverage.isCut = true
    cancelFetches(of: reader)
  }

  /// Goes on with whoever waits for this feed, and ends what is at its end.
  private func update(_ reader: FeedReader) {
    switch reader.kind {
    case .iterator:
      if isAtPageLimit(reader) { cut(reader) }
      lookAhead(reader)
      offer(reader)
    case .sink:
      if isAtPageLimit(reader) {
        coverage.isCut = true
        return close(reader)
      }
      guard let ending = reader.ending else { return }
      if reader.refreshing != nil { return readingEnded(reader, ending) }
      if case .failed(let error) = ending { fail(error) }
      close(reader)
    case .viewport: lookAround(reader)
    }
  }
}

extension FetchRequest {
  /// The key as a place among others; all cursors have the same.
  var number: Int64 { if case .integer(let number)? = key { number } else { 0 } }
}
