import Glibc
import Items
public import Paging

/// What is remembered of one reading, for people.
public struct RememberedReading: Sendable, Equatable {
  /// The stream's name.
  public let stream: String
  /// The part of the source, as JSON; empty where there is one only.
  public let partition: String
  /// Readings of it, with this one.
  public let number: Int
  /// `open`, `complete` or `given up`.
  public let state: String
  /// Items that it has brought.
  public let items: Int
  /// The first page that is not there yet, and its key; nil unless it goes on.
  public let next: (page: Int, key: String)?
  /// What the last complete reading left, as JSON.
  public let bookmark: String?

  init(_ stored: StoredReading) {
    (stream, partition, number) = (stored.stream, stored.partition, stored.number)
    (state, items) = (stored.state.rawValue, stored.items)
    next = stored.position.map { ($0.pages + 1, $0.key?.description ?? "") }
    bookmark = stored.bookmark?.string
  }

  public static func == (left: RememberedReading, right: RememberedReading) -> Bool {
    left.stream == right.stream && left.partition == right.partition && left.number == right.number
      && left.state == right.state && left.items == right.items && left.bookmark == right.bookmark
      && left.next?.page == right.next?.page && left.next?.key == right.next?.key
  }
}

/// What is remembered of one step of a workflow, for people.
public struct RememberedStep: Sendable, Equatable {
  /// Its key, and the parameters of the run.
  public let key: String
  /// What it returned, as JSON; nil unless it has ended.
  public let result: String?
}

/// The state of an output, as `lookahead state` shows and changes it.
public struct RememberedState {
  private let output: String
  /// Of the file with the state; empty for a database that is reached through a driver.
  private let path: String
  private let isDatabase: Bool
  private let configuration: SinkConfiguration?

  /// The state in a database, or in the file beside a text; nil where nothing is remembered.
  /// With secrets, their names in braces stand for them in the address of a server.
  public init?(of output: String, secrets: [String: String]? = nil) throws(HostFailure) {
    let configuration = SinkConfiguration(path: output, secrets: secrets)
    if let mistake = configuration.mistake, configuration.format.isReachedByDriver { throw mistake }
    if configuration.format.isReachedByDriver {
      (self.output, path, isDatabase) = (configuration.path.escapingControls, "", true)
      self.configuration = configuration
      guard try with(isReadOnly: true, { try $0.row(sql: RememberedState.table) != nil }) else { return nil }
      return
    }
    self.configuration = nil
    self.output = output.escapingControls
    let name = output.hasSuffix("/") ? String(output.dropLast()) : output
    var status = stat()
    guard
      stat(name, &status) == 0 || stat(name + ".partial", &status) == 0 || stat(name + ".state", &status) == 0
    else {
      throw HostFailure(.notFound, "\(output.escapingControls): there is no such output")
    }
    isDatabase = SinkFile.isDatabase(name)
    path = isDatabase ? name : name + ".state"
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    guard try with(isReadOnly: true, { try $0.row(sql: RememberedState.table) != nil }) else { return nil }
  }

  /// All readings, by stream and partition.
  public func readings() throws(HostFailure) -> [RememberedReading] {
    try with(isReadOnly: true) { database in
      let statement = try database.makeStatement(
        sql: "SELECT * FROM _lookahead_readings WHERE state <> 'forgotten' ORDER BY stream, partition")
      var readings: [RememberedReading] = []
      while try statement.hasRow() { readings.append(RememberedReading(try StoredReading(Row(statement)))) }
      return readings
    }
  }

  /// The steps of the last workflow, in the order in which they were begun: those that ended are not done again by a run that
  /// goes on.
  public func steps() throws(HostFailure) -> [RememberedStep] {
    try with(isReadOnly: true) { database in
      try database.rows(
        sql: """
          SELECT key, result FROM _lookahead_steps, _lookahead_state
          WHERE _lookahead_state.name = 'workflow' AND workflow = value ORDER BY id
          """
      ).map {
        let fields = StoredFields($0)
        return RememberedStep(key: try fields.text("key"), result: try fields.jsonIfAny("result")?.string)
      }
    }
  }

  /// Forgets a source, one part of it, or everything; returns how many readings and steps that were. Fails where there is
  /// none, and where a text would keep what is forgotten.
  public func reset(_ selection: Selection) throws(HostFailure) -> Int {
    try with(isReadOnly: false) {
      try forget(selection, in: $0)
    } rest: {
      if selection.isEverything, !isDatabase { for path in [path, path + "-wal"] { unlink(path) } }
    }
  }

  private func forget(_ selection: Selection, in database: Database) throws -> Int {
    let isOpen =
      try database.row(sql: "SELECT 1 FROM _lookahead_state WHERE name = 'isOpen' AND value <> 0") != nil
    guard isDatabase || selection.isEverything || !isOpen else {
      throw HostFailure(
        .invalid,
        "\(output) has the items of all its sources, and the run that writes it has not ended: "
          + "let it end, or forget everything (--reset without --source)")
    }
    var count = try StoredReading.forget(where: selection.condition, selection.arguments, in: database)
    guard count > 0 || selection.isEverything else { throw unknown(selection) }
    if selection.isEverything {
      try database.execute(sql: "DELETE FROM _lookahead_steps")
      count += database.changesCount
      try database.execute(
        sql: """
          DELETE FROM _lookahead_aside WHERE owner < 0;
          UPDATE _lookahead_state SET value = 0 WHERE name = 'isOpen';
          """)
    }
    return count
  }

  /// Sets the bookmark of a source, as JSON; returns how many readings have it now. Fails where there is none.
  public func setBookmark(_ bookmark: String, of selection: Selection) throws(HostFailure) -> Int {
    try with(isReadOnly: false) { database in
      let open = try database.row(
        sql: """
          SELECT 1 FROM _lookahead_readings
          WHERE (\(selection.condition)) AND state = 'open' AND position IS NOT NULL
          """,
        arguments: selection.arguments)
      guard open == nil else {
        throw HostFailure(
          .invalid,
          "\(output): a reading goes on that has asked for what is new since the bookmark that is there; another one would have it "
            + "ask for the rest of another list: let it end first, or begin it anew (--reset)")
      }
      try database.execute(
        sql:
          "UPDATE _lookahead_readings SET bookmark = ?1, isAddedTo = isAddedTo OR ?1 IS NOT NULL WHERE (\(selection.condition)) AND state <> 'forgotten'",
        arguments: [bookmark] + selection.arguments)
      let count = database.changesCount
      guard count > 0 else { throw unknown(selection) }
      // Whoever goes back wants to have again what came then.
      try database.execute(
        sql:
          "DELETE FROM _lookahead_ids WHERE -1 - reading IN (SELECT id FROM _lookahead_readings WHERE \(selection.condition))",
        arguments: selection.arguments)
      return count
    }
  }

  private static let table =
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_lookahead_readings'"

  private func unknown(_ selection: Selection) -> HostFailure {
    HostFailure(
      .notFound,
      "nothing is remembered of \(selection.name.isEmpty ? "a source" : selection.name.escapingControls) "
        + "(lookahead state \(output) lists what is)")
  }

  /// Readings by their name: `items`, or `items{"account":"2"}`; empty is all.
  public struct Selection {
    let name: String
    let condition: String
    let arguments: [String]

    public init(_ name: String) {
      self.name = name
      guard !name.isEmpty else {
        (condition, arguments) = ("true", [])
        return
      }
      if let brace = name.firstIndex(of: "{") {
        (condition, arguments) = (
          "stream = ? AND partition = ?", [String(name[..<brace]), String(name[brace...])]
        )
      } else {
        (condition, arguments) = ("stream = ?", [name])
      }
    }

    var isEverything: Bool { name.isEmpty }
  }

  /// Keeps runs from writing the output, which would not see what changes here, and would undo it.
  private func locked() throws(HostFailure) -> FileDescriptor? {
    guard configuration?.address == nil, let file = ResolvedPath(configuration?.path ?? path)?.path else {
      return nil
    }
    do throws(SinkError) {
      return try OutputLock.open(file, O_RDWR, shown: output)
    } catch {
      guard error.number == nil else { throw error.failure }
      throw HostFailure(
        .io, "\(error.failure.message): end it, or let it end, first")
    }
  }

  /// Calls `body` with what is remembered; what it changes there, and then `rest`, is done while no run works with it. The state of
  /// a text can't be read meanwhile, either.
  private func with<Result>(
    isReadOnly: Bool, _ body: (Database) throws -> Result, rest: () -> Void = {}
  ) throws(HostFailure) -> Result {
    let lock = isReadOnly && isDatabase ? nil : try locked()
    defer { withExtendedLifetime(lock) {} }
    let result = try access(isReadOnly: isReadOnly, body)
    rest()
    return result
  }

  private func access<Result>(
    isReadOnly: Bool, _ body: (Database) throws -> Result
  ) throws(HostFailure) -> Result {
    if let configuration { return try configuration.withMemory(isReadOnly: isReadOnly, body) }
    do {
      // The log of a state file can't be read without being written.
      let database = try Database(path: path, waiting: .seconds(5), isReadOnly: isReadOnly && isDatabase)
      defer { try? database.close() }
      return try isReadOnly ? body(database) : database.transaction { try body(database) }
    } catch let error as HostFailure {
      throw error
    } catch {
      throw HostFailure(error, database: path.escapingControls, showsSQL: false)
    }
  }
}
