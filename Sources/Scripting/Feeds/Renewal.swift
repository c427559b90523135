import Items
import Paging

extension FeedReader {
  /// The bookmark of what was delivered, as JSON: a script's own, or the greatest.
  var deliveredBookmark: Bytes? { newerVersions?.delivered ?? newBookmark }
}

extension FeedHost {
  /// Leaves out what earlier readings brought with the bookmark, and nobody has changed since.
  func withoutBoundary(_ items: [Item], of reader: FeedReader) -> [Item] {
    guard let new = reader.newerVersions?.withoutBoundary(items) else { return items }
    tally.statistics.duplicates += items.count - new.count
    return new
  }

  /// What the sink was given of a reading so far is all that comes before that place. The sink gets to know once the handlers of the
  /// pages before have ended: of one that fails, or is stopped, the page is fetched again by the next run.
  func mark(_ reader: FeedReader, _ place: ReadingMark.Place) {
    guard let reading = reader.begun?.id, case .sink(let stream) = reader.kind else { return }
    let boundary = reader.newerVersions?.newBoundary(isOver: place.isEnd)
    var mark = ReadingMark(place, bookmark: reader.deliveredBookmark, boundary: boundary)
    switch place {
    case .position(let position): mark.pages = position.pages
    case .end: mark.pages = reader.feed.deliveredPages
    }
    mark.mayMiss = place.isEnd && reader.feed.mismatch.map { $0.moved > 0 } ?? false
    if let mark = reader.reach(mark) { outbox.mark(reading, stream: stream, mark) }
  }

  /// A handler that went on has ended: tells the sink how far the reading has come, if it has waited for that.
  func release(_ reader: FeedReader) {
    guard let reading = reader.begun?.id, case .sink(let stream) = reader.kind,
      let mark = reader.takeHeldMark()
    else { return }
    outbox.mark(reading, stream: stream, mark)
  }

  /// Has the sink remove what the source says is gone.
  func remove(_ ids: [ItemID], of reader: FeedReader) {
    guard case .sink(let stream) = reader.kind else { return }
    reader.gaveMore()
    reader.newerVersions?.remove(ids)
    var operations = ids.map { ItemOperation.remove($0, at: 0) }
    if options.wantsChanges {
      // Of a list that starts empty only what is there can go; what the feed still held has gone already.
      operations = ids.compactMap { id in
        guard let place = reader.given.firstIndex(of: id) else { return nil }
        reader.given.remove(at: place)
        return .remove(id, at: place)
      }
    }
    outbox.append(
      operations, stream: stream, reading: reader.begun?.id,
      Outbox.Acknowledgement(reader: reader.id, revision: reader.feed.revision, growth: 0))
  }

  /// Gives the sink those of a page's known items that are newer than they were.
  func renew(
    _ repeated: [Item], deliveredBy fetch: FetchID, isCompared: Bool, of reader: FeedReader
  ) {
    let newer = reader.newerVersions?.deliver(fetch, repeated: repeated, isCompared: isCompared) ?? []
    guard !newer.isEmpty, case .sink(let stream) = reader.kind else { return }
    reader.gaveMore()
    tally.statistics.duplicates -= newer.count
    reader.feed.sawNewer(newer.count)
    let acknowledgement = Outbox.Acknowledgement(
      reader: reader.id, revision: reader.feed.revision, growth: 0)
    guard options.wantsChanges else {
      return outbox.append(newer, stream: stream, reading: reader.begun?.id, acknowledgement)
    }
    let places = Dictionary(reader.given.enumerated().map { ($1, $0) }) { $1 }
    outbox.append(
      newer.map { .update($0, at: places[$0.id] ?? 0) }, stream: stream, reading: reader.begun?.id,
      acknowledgement)
  }

  /// Items without ids can't tell that a server repeats its last page for ever.
  func warnOfRepeats(_ reader: FeedReader, _ items: [Item]) {
    guard reader.repeats.follow(items) else { return }
    let message =
      "source '\(reader.name)': its last \(RepeatedPages.most) pages have the same items, and these have no ids: some servers repeat "
      + "their last page for ever (say what tells items apart, `id`, or where the list ends, `isLast`)"
    options.observe(.logged(level: "warn", message: message, fields: []))
  }
}
