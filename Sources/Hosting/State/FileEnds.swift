import Items
import Paging

/// How a text was when it took its place under its name, so that what others add behind is known. A second note is of the file
/// that is about to take that place.
struct FileEnds {
  private let name: String

  init(of name: String) { self.name = name }

  /// Notes the file that is about to take its place.
  func note(length: Int, _ digest: String, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO _lookahead_ends (name, isNext, length, digest) VALUES (?, 1, ?, ?)",
      arguments: [name, length, digest])
  }

  /// The file that was noted has taken its place.
  func hasTakenPlace(in database: Database) throws {
    try database.execute(
      sql: "UPDATE OR REPLACE _lookahead_ends SET isNext = 0 WHERE name = ? AND isNext = 1",
      arguments: [name])
  }

  /// The file is written anew.
  func forget(in database: Database) throws {
    try database.execute(sql: "DELETE FROM _lookahead_ends WHERE name = ?", arguments: [name])
  }

  /// How much of a file was written by runs, and how many bytes there are behind; nil if it is as one of them has left it, or none
  /// has. Bytes that are others, or missing, are zero behind.
  func additions(
    _ found: (length: Int, digest: (Int) -> String?), in database: Database
  ) throws -> (length: Int, count: Int)? {
    let notes = try database.rows(
      sql: "SELECT isNext, length, digest FROM _lookahead_ends WHERE name = ? ORDER BY isNext",
      arguments: [name]
    ).map { row in
      let fields = StoredFields(row)
      return (try fields.count("isNext") == 1, try fields.count("length"), try fields.text("digest"))
    }
    for (isNext, length, digest) in notes where length == found.length && found.digest(length) == digest {
      if isNext { try hasTakenPlace(in: database) }
      return nil
    }
    if let kept = notes.last(where: { $0.1 < found.length && found.digest($0.1) == $0.2 }) {
      return (kept.1, found.length - kept.1)
    }
    // Without a note of what was there, it is what is about to be replaced, whatever it is.
    guard let left = notes.first, !left.0 else { return nil }
    return (notes.last!.1, 0)
  }

  static let schema = """
    CREATE TABLE IF NOT EXISTS _lookahead_ends (
      name TEXT NOT NULL, isNext INTEGER NOT NULL, length INTEGER NOT NULL, digest TEXT NOT NULL,
      PRIMARY KEY (name, isNext)) WITHOUT ROWID;
    """
}

extension TextState {
  /// Why a run can't go on with a file: somebody else has changed it since it took its place. Nil if nobody has.
  func refusal(
    of name: String, at path: String, _ found: (length: Int, digest: (Int) -> String?)
  ) throws(SinkError) -> String? {
    var additions: (length: Int, count: Int)?
    try access { database in additions = try FileEnds(of: name).additions(found, in: database) }
    guard let (length, count) = additions else { return nil }
    let path = path.escapingControls
    guard count > 0 else {
      return
        "\(path) is not as the last run left it (\(length.grouped) bytes), and going on would lose what was changed: "
        + "name another -o, or --fresh writes it anew"
    }
    return
      "\(path) has \(count.grouped) bytes behind the \(length.grouped) that the last run left, and going on would lose them: "
      + "keep them elsewhere (tail -c +\(length + 1)) and cut them off (truncate -s \(length)), name another -o, or "
      + "--fresh writes it anew"
  }

  /// Notes, for good, the file that is about to take its place under its name.
  func noteEnd(of name: String, _ length: Int, _ digest: String) throws(SinkError) {
    try access { database in try FileEnds(of: name).note(length: length, digest, in: database) }
    try commit([])
  }

  /// The file that was noted has taken its place.
  func hasTakenPlace(_ name: String) throws(SinkError) {
    try access { database in try FileEnds(of: name).hasTakenPlace(in: database) }
  }
}
