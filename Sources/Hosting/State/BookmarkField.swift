import Paging

/// Of which member of the items a reading's bookmark is: the value of one says nothing of another.
struct BookmarkField {
  /// Its name in the state's table of single values.
  private let name: String

  /// That of a reading.
  init(of reading: Int) { name = "bookmark of \(reading)" }

  /// Takes a bookmark away that is of another member than a request's; says whether it did. What a function makes can't be told from
  /// what another one makes, nor is it known of every bookmark what it was of.
  func drop(_ stored: inout StoredReading, for request: ReadingRequest, in database: Database) throws -> Bool
  {
    guard stored.bookmark != nil, let wanted = request.bookmarkField,
      let known = try database.row(
        sql: "SELECT value FROM _lookahead_state WHERE name = ?", arguments: [name])?.text, known != wanted
    else { return false }
    stored.bookmark = nil
    try database.execute(
      sql: "UPDATE _lookahead_readings SET bookmark = NULL WHERE id = ?", arguments: [stored.id])
    return true
  }

  /// Notes of what the bookmark is that is kept now, if one is.
  func note(_ field: String?, of bookmark: String?, in database: Database) throws {
    guard let field, bookmark != nil else { return }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO _lookahead_state (name, value) VALUES (?, ?)")
      .execute(arguments: [name, field])
  }
}
