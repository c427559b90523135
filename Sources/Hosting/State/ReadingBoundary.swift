import Items
import Paging

/// The items that came with a source's bookmark, as `BegunReading.boundary`: they are not written again while the output has them as
/// they were.
///
/// One that is given up, or asked for a stretch of the past, may have written other versions of them, or removed them: it
/// leaves none.
struct ReadingBoundary {
  /// What is kept.
  enum Part: Int, CaseIterable {
    /// What came with the bookmark.
    case left
    /// What has come with the one that a reading has so far.
    case new
  }

  /// Under a number below zero, as the reading's ids are forgotten at its end.
  private let kept: ReadingIDs

  /// That of a reading.
  init(of reading: Int) { kept = ReadingIDs(reading: ~reading) }

  func known(_ part: Part, in database: Database) throws -> KnownIDs {
    try kept.known(part: part.rawValue, in: database)
  }

  func forget(_ part: Part, in database: Database) throws {
    try kept.clear(part: part.rawValue, in: database)
  }

  /// Keeps what has come with a mark; at the end it takes the place of what came with the bookmark before.
  func keep(_ known: KnownIDs, isOver: Bool, in database: Database) throws {
    for part in Part.allCases where isOver || part == .new { try forget(part, in: database) }
    if !known.isEmpty {
      try kept.insert(known.bytes, part: (isOver ? Part.left : .new).rawValue, in: database)
    }
  }
}
