/// Who writes which partition, where several processes of one run write the same database.
extension StateTables {
  static let claims = """
    CREATE TABLE IF NOT EXISTS _lookahead_claims (reading INTEGER PRIMARY KEY, epoch INTEGER NOT NULL);
    """

  /// Takes the next epoch of a reading: whoever had it before writes no more of it.
  func claim(_ reading: Int, in database: Database) throws -> Int {
    try database.cachedStatement(
      sql: """
        INSERT INTO _lookahead_claims (reading, epoch) VALUES (?, 1) \
        ON CONFLICT (reading) DO UPDATE SET epoch = epoch + 1
        """
    ).execute(arguments: [reading])
    return try epoch(of: reading, in: database)
  }

  /// The last epoch of a reading that was taken; zero is none.
  func epoch(of reading: Int, in database: Database) throws -> Int {
    try database.row(sql: "SELECT epoch FROM _lookahead_claims WHERE reading = ?", arguments: [reading])?
      .integer() ?? 0
  }
}
