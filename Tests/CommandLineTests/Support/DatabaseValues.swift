import TestSupport

extension Scratch {
  /// What a query has as `value`, as text, from a file of SQLite or a database with a driver.
  func values(_ query: String, in database: String) throws -> [String] {
    if database.hasSuffix(".db") {
      try write("values.sql", query)
      return try shell("sqlite3 \(database) < values.sql").lines
    }
    try write(
      "values.lua",
      "for row in lookahead.database.open([[\(database)]]):rows([[\(query)]]) do lookahead.emit(row.value) end"
    )
    var command = Command.lookahead([
      "run", "values.lua", "--allow-read", "--allow-net=127.0.0.1", "--no-state", "-q",
    ]).within(self)
    command.environment = TestDatabases.environment
    return try command.run().lines.map { $0.replacing("\"", with: "") }
  }
}
