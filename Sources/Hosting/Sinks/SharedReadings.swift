import Items
import Paging

/// The partitions that a process has claimed in a database which several write, and what there is to tell of them.
struct SharedReadings {
  private struct Claimed {
    var record: PartRecord
    var isOver = false
  }

  private var claimed: [Int: Claimed] = [:]
  private var readings: [String: Int] = [:]
  /// What is to be told once it is committed.
  private var news: [PartEvent] = []

  /// Claims the reading that has begun, unless it is over.
  mutating func claim(
    _ begun: BegunReading, _ request: ReadingRequest, _ state: StateTables, in database: Database
  ) throws {
    let id = PartitionID(source: request.source, partition: request.partition).text
    if begun.isDone, claimed[begun.id]?.isOver == false { return }
    let epoch =
      try begun.isDone ? state.epoch(of: begun.id, in: database) : state.claim(begun.id, in: database)
    var record = PartRecord(id: id, epoch: epoch, request)
    (record.items, record.pages) = (begun.items, begun.pages)
    record.bookmark = begun.bookmark?.string
    if begun.isDone {
      news.append(.done(record, isNew: false))
    } else {
      (claimed[begun.id], readings[id]) = (Claimed(record: record), begun.id)
      news.append(.begun(id: id, epoch: epoch, items: begun.items))
    }
  }

  /// Whether a delivery may still be written; notes how far it brings its reading.
  mutating func takes(_ delivery: Delivery, _ state: StateTables, in database: Database) throws -> Bool {
    guard let reading = delivery.reading else { throw SinkParts.noPartition }
    guard var known = claimed[reading], !known.isOver else { return false }
    let record = known.record
    guard try state.epoch(of: reading, in: database) == record.epoch else {
      claimed[reading]?.isOver = true
      news.append(.superseded(id: record.id, epoch: record.epoch))
      return false
    }
    known.record.items += delivery.itemCount
    if let mark = delivery.mark { known.record.pages = mark.pages }
    switch delivery.mark?.place {
    case .position:
      news.append(
        .position(
          id: record.id, epoch: record.epoch, pages: known.record.pages, items: known.record.items))
    case .end(let isComplete):
      known.isOver = true
      if let bookmark = delivery.mark?.bookmark { known.record.bookmark = bookmark.string }
      news.append(
        isComplete
          ? .done(known.record, isNew: true) : .incomplete(id: record.id, epoch: record.epoch))
    case nil: break
    }
    claimed[reading] = known
    return true
  }

  /// A partition is not read any further here; its reading.
  mutating func leave(partition id: String) -> Int? {
    guard let reading = readings.removeValue(forKey: id) else { return nil }
    claimed[reading] = nil
    return reading
  }

  /// What is to be told, since it is committed.
  mutating func takeNews() -> [PartEvent] {
    defer { news = [] }
    return news
  }
}
