import Items
import Paging

/// Steps.
extension StateTables {
  /// Begins a step, or says with what result an earlier run has ended it.
  func begin(step name: String, _ parameters: String, in database: Database) throws -> BegunStep {
    // Other parameters mean other steps.
    let key = parameters.isEmpty ? name : "\(name) \(parameters)"
    let row = try database.row(
      sql: "SELECT id, workflow, result FROM _lookahead_steps WHERE key = ?", arguments: [key]
    ).map { StoredFields($0) }
    let known = try row?.count("id")
    if let row, let known, try row.count("workflow") == workflow, let result = try row.jsonIfAny("result") {
      return BegunStep(id: known, result: result)
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO _lookahead_steps (key, workflow) VALUES (?, ?) \
        ON CONFLICT (key) DO UPDATE SET workflow = excluded.workflow, result = NULL
        """
    ).execute(arguments: [key, workflow])
    let id = known ?? Int(database.lastInsertedRowID)
    try Aside.of(step: id, in: database).clear()
    return BegunStep(id: id)
  }

  /// Ends a step: what it brought is in the output.
  func end(step: Int, _ result: Bytes, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE _lookahead_steps SET result = ? WHERE id = ?").execute(
      arguments: [result.string, step])
    try Aside.of(step: step, in: database).clear()
  }

  /// Notes that steps of this workflow have items in a text.
  func noteItemsOfSteps(in database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO _lookahead_state (name, value) VALUES ('items of steps', ?)"
    ).execute(arguments: [workflow])
  }

  /// Whether steps that have ended have items in a text: nobody would bring them again.
  func hasItemsOfSteps(in database: Database) throws -> Bool {
    let row = try database.row(sql: "SELECT value FROM _lookahead_state WHERE name = 'items of steps'")
    return try row.map { try StoredFields($0).count("value") } == workflow
  }
}
