import Items
import Paging

/// The items that came with a source's bookmark, as `BegunReading.boundary`: they are not written again while the output has them as
/// they were.
///
/// One that is given up, or asked for a stretch of the past, may have written other versions of them, or removed them: it
/// leaves none.
struct ReadingBoundary {
  private let digests: ReadingIDs

  /// That of a reading, under a number below zero, as its ids are forgotten at its end.
  init(of reading: Int) { digests = ReadingIDs(reading: ~reading) }

  func known(in database: Database) throws -> KnownIDs { try digests.known(in: database) }
  func forget(in database: Database) throws { try digests.clear(in: database) }
  func keep(_ known: KnownIDs, in database: Database) throws { try digests.replace(known, in: database) }
}
