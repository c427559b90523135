import Paging

/// Streams that have items without ids which a script emits itself: their rows are only counted, and are told from others by what
/// is remembered here.
extension StateTables {
  /// How rows of a stream were emitted.
  struct EmittedNote {
    let origin: String
    let workflow: Int
    /// The script that did, with its parameters, once a run of it has come to its end.
    let script: String?

    init(_ row: Row, _ name: String) throws {
      let parts = try StoredFields(row).text("value").split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count > 1, let number = Int(parts[1]) else { throw HostFailure.damaged(name) }
      (origin, workflow, script) = (parts[0], number, parts.count > 2 ? parts[2] : nil)
    }
  }

  /// How a stream's rows were emitted without ids, and whether by this run, or by one that it goes on with; nil where none were.
  func emitted(_ stream: String, in database: Database) throws -> (origin: String, isOfThisRun: Bool)? {
    let name = StateTables.emittedName(stream)
    let row = try database.row(
      sql: "SELECT value FROM _lookahead_state WHERE name = ?", arguments: [name])
    return try row.map { try EmittedNote($0, name) }.map { ($0.origin, isOfThisRun($0)) }
  }

  /// Whether this run has emitted them, or one that it goes on with.
  func isOfThisRun(_ note: EmittedNote) -> Bool { note.workflow == workflow }

  /// The streams of which rows were emitted without ids.
  func emittedStreams(in database: Database) throws -> [(stream: String, note: EmittedNote)] {
    let prefix = StateTables.emittedName("")
    let rows = try database.rows(
      sql: "SELECT name, value FROM _lookahead_state WHERE substr(name, 1, ?) = ? ORDER BY name",
      arguments: [prefix.count, prefix])
    return try rows.map { row in
      let name = try StoredFields(row).text("name")
      return (String(name.dropFirst(prefix.count)), try EmittedNote(row, name))
    }
  }

  /// Whether anything may be remembered in the database.
  static func exist(in database: Database) throws -> Bool {
    try database.row(
      sql: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_lookahead_state'") != nil
  }

  /// Notes that this run emits items of a stream without ids; the script is named once the run is over.
  func noteEmitted(
    _ stream: String, as origin: String, by script: String? = nil, in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO _lookahead_state (name, value) VALUES (?, ?)",
      arguments: [StateTables.emittedName(stream), "\(origin) \(workflow) \(script ?? "")"])
  }

  /// The rows of a stream that were emitted without ids are gone.
  func forgetEmitted(_ stream: String, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM _lookahead_state WHERE name = ?", arguments: [StateTables.emittedName(stream)])
  }

  private static func emittedName(_ stream: String) -> String { "emitted \(stream)" }
}
