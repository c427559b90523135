import Items
import JSON
import Paging

/// A reading that was begun by an earlier run, and that nobody goes on with.
public struct LeftReading: Sendable, Equatable {
  /// The stream's name.
  public let stream: String
  /// The part of the source, as JSON; empty where there is one only.
  public let partition: String
  /// The first page that is not there.
  public let page: Int
  /// Items that are there.
  public let items: Int
  /// Whether the script returns no source of that stream any more; else the part is no longer among those that are read.
  public let isSourceGone: Bool

  init(_ stored: StoredReading, isSourceGone: Bool) {
    (stream, partition, items) = (stored.stream, stored.partition, stored.items)
    page = (stored.position?.pages ?? 0) + 1
    self.isSourceGone = isSourceGone
  }
}

extension StateTables {
  /// Open readings with which this run, which is over, did not go on though it has read all that the script returns.
  func left(by returned: ReturnedStreams, in database: Database) throws -> [LeftReading] {
    guard returned.areAllRead, let names = returned.names else { return [] }
    // Since when no run has come to its end.
    let first = try database.row(sql: "SELECT value FROM _lookahead_state WHERE name = 'unended'")?.integer()
    return try unfinished(in: database).compactMap { stored in
      let isGone = !names.contains(stored.stream)
      guard isGone || stored.chain >= first ?? chain, !isBegun(stored.id) else { return nil }
      return LeftReading(stored, isSourceGone: isGone)
    }
  }

  /// The parts of a stream's list that earlier runs which were given the same have read to their ends, and this one, which is over, has
  /// not begun.
  func unlisted(in stream: String, givenTo parameters: String, in database: Database) throws -> [Int] {
    let given = StateTables.members(of: parameters)
    return try database.rows(
      sql:
        "SELECT * FROM _lookahead_readings WHERE stream = ? AND state = 'complete' AND chain <> ? ORDER BY id",
      arguments: [stream, chain]
    ).map { try StoredReading($0) }.filter { stored in
      let members = StateTables.members(of: stored.partition)
      return members.count > given.count && given.allSatisfy { members[$0.key] == $0.value }
    }.map(\.id)
  }

  /// The members of an object, each as JSON has it.
  private static func members(of json: String) -> [String: String] {
    let found = try? JSONReader.read(json) { value in
      Dictionary(value.members.map { ($0.key.string, $0.value.string) }, uniquingKeysWith: { $1 })
    }
    return found ?? [:]
  }

  /// Whether any source was read into the stream.
  func hasReading(of stream: String, in database: Database) throws -> Bool {
    try database.row(
      sql: "SELECT 1 FROM _lookahead_readings WHERE stream = ? LIMIT 1", arguments: [stream]) != nil
  }

  /// Forgets all readings of a stream: what they had brought is there no more.
  func forget(stream: String, in database: Database) throws {
    _ = try StoredReading.forget(where: "stream = ?", [stream], in: database)
  }

  /// Nobody goes on with them.
  func giveUp(_ left: [LeftReading], in database: Database) throws {
    for reading in left {
      try database.execute(
        sql: """
          UPDATE _lookahead_readings SET state = 'given up', position = NULL WHERE stream = ? AND partition = ?
          """, arguments: [reading.stream, reading.partition])
    }
  }

  /// Why a run can't go on where items are there of a source that the script no longer returns: whatever it is called now would
  /// bring them once more.
  func refusal(of returned: ReturnedStreams, _ output: String, in database: Database) throws -> String? {
    guard goesOn, let names = returned.names else { return nil }
    let items =
      "FROM _lookahead_readings WHERE items > 0 AND (state = 'open' OR state = 'complete' AND chain = ?1)"
    let streams = try database.rows(sql: "SELECT DISTINCT stream \(items) ORDER BY 1", arguments: [chain])
    guard let stream = streams.compactMap(\.text).first(where: { !names.contains($0) }),
      let row = try database.row(
        sql: "SELECT * \(items) AND stream = ?2 ORDER BY state DESC LIMIT 1", arguments: [chain, stream])
    else { return nil }
    let gone = try StoredReading(row)
    let list = names.sorted().map(\.escapingControls).joined(separator: ", ")
    let stop = gone.position.map { " (stopped at page \(($0.pages + 1).grouped))" } ?? ""
    return
      "\(output.escapingControls) has \(gone.items.grouped) items of the source '\(gone.stream.escapingControls)'\(stop), which "
      + "the script no longer returns (it returns \(list)), so the run before can't go on: give the source its name again, "
      + "name another -o, or --fresh begins anew"
  }

  private func unfinished(in database: Database) throws -> [StoredReading] {
    try database.rows(
      sql: "SELECT * FROM _lookahead_readings WHERE state = 'open' AND position IS NOT NULL ORDER BY id"
    ).map { try StoredReading($0) }
  }
}
