import Items
import Paging

extension StateTables {
  /// What the output had of a reading that is begun.
  struct Beginning {
    var begun: BegunReading
    let stream: String
    let write: WriteMode
    /// Whether there was nothing before it.
    let isFirst: Bool
    let isIncremental: Bool
    /// Whether the command line said how to write.
    let wasAsked: Bool
    /// Whether the source is read again and again.
    let isRefreshing: Bool
    /// Whether the stream has several partitions.
    var isOneOfSeveral = false
    /// Whether items of earlier readings are there that are to stay.
    var comesBehind: Bool { write == .append || begun.bookmark != nil && isIncremental }
    /// Whether there may be items of an earlier reading.
    var hasItems = false
    /// Whether these are of one that came to no good end, and no history.
    var isRest = false
    /// Whether it was begun before, and no page of it is known.
    var isAgain = false
    /// What it brought of a list that has become another; nil unless it begins anew for that.
    var outdated: KnownIDs?
    /// The last row of a table of numbered items that counts; nil if its items have ids.
    var lastRow: Int64?
    /// Whether the items that it has brought so far have no ids.
    var isNumbered = false

    /// The reading, and whether the output is not as the run before left it, or has what that one left before what comes now.
    func begun(isOutputChanged: Bool, isOutputContinued: Bool = false) -> BegunReading {
      var begun = begun
      (begun.isOutputChanged, begun.isOutputContinued) = (isOutputChanged, isOutputContinued)
      return begun
    }
  }
}

extension StateTables {
  /// Whether items of a reading that came to no good end are in a text that is written anew for them, as nothing else is there to stay.
  func hasRests(in database: Database) throws -> Bool {
    try database.row(
      sql: """
        SELECT 1 FROM _lookahead_readings WHERE state = 'given up' AND items > 0 AND chain = ?1
          AND NOT EXISTS (SELECT 1 FROM _lookahead_readings WHERE isAddedTo) LIMIT 1
        """, arguments: [chain]) != nil && !hasItemsOfSteps(in: database)
  }

  /// Whether the next run goes on with what one that has failed leaves in texts: parts of a source that are whole are not read again, and
  /// where readings are added to a stream, what is there stays.
  func staysForNext(in database: Database) throws -> Bool {
    let parts = """
      SELECT 1 FROM _lookahead_readings WHERE chain = ?
        GROUP BY stream HAVING count(*) > 1 AND max(state = 'complete') LIMIT 1
      """
    return try hasOpen(in: database) || isAddedTo(nil, in: database) || hasItemsOfSteps(in: database)
      || database.row(sql: parts, arguments: [chain]) != nil
  }

  /// Whether anything but a reading has brought items that count now, to its stream or to any; so do steps, to whatever stream.
  func hasOthers(than reading: Int, inFileOf stream: String?, in database: Database) throws -> Bool {
    try database.row(
      sql: """
        SELECT 1 FROM _lookahead_readings WHERE id <> ?1 AND items > 0 AND (?2 IS NULL OR stream = ?2)
          AND (state = 'open' OR chain = ?3 OR isAddedTo) LIMIT 1
        """, arguments: [reading, stream, chain]) != nil || hasItemsOfSteps(in: database)
  }

  /// Readings that are over and are alone in their streams are not those of the next run, though others go on; where steps may have
  /// filled the streams too, they are.
  func endThoseAlone(in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE _lookahead_readings SET chain = 0 WHERE state = 'complete' AND chain = ?1
          AND (SELECT count(*) FROM _lookahead_readings AS other WHERE other.stream = _lookahead_readings.stream) = 1
          AND NOT EXISTS (SELECT 1 FROM _lookahead_steps WHERE workflow = ?2 AND result IS NOT NULL)
        """, arguments: [chain, workflow])
  }

  /// A refresh delivers what has changed, which is no reading to be added.
  static let noHistory = HostFailure(
    .invalid,
    "--write append with --refresh: a refresh updates what is there; run it again for each reading that is to be added"
  )

  /// The error for a reading whose items can't be told from those that are there.
  static func refusal(_ stream: String) -> HostFailure {
    HostFailure(
      .invalid,
      "the rows of \(stream.escapingControls) are of items that have no ids, so a new reading can't be merged into them: --write mirror "
        + "replaces them all, --write append adds to them; items with ids (id = \"…\") go to a table of their own (name = \"…\")"
    )
  }
}
