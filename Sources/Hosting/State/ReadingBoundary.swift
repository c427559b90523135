import Items
import Paging

/// The items that came with a source's bookmark, as `BegunReading.boundary`: they are not written again while the output has them as
/// they were.
///
/// A reading takes them as it begins, and keeps its own at its end. One that is cut, or asked for a stretch of the past, may
/// have written other versions of them, or removed them: it leaves none.
struct ReadingBoundary {
  private let digests: ReadingIDs

  /// That of a reading, under a number below zero, as its ids are forgotten at its end.
  init(of reading: Int) { digests = ReadingIDs(reading: ~reading) }

  func take(in database: Database) throws -> KnownIDs {
    let known = try digests.known(in: database)
    if !known.isEmpty { try digests.clear(in: database) }
    return known
  }

  func keep(_ known: KnownIDs, in database: Database) throws { try digests.replace(known, in: database) }
}
