import GRDB
import Glibc
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

  public static func == (left: RememberedReading, right: RememberedReading) -> Bool {
    left.stream == right.stream && left.partition == right.partition && left.number == right.number
      && left.state == right.state && left.items == right.items && left.bookmark == right.bookmark
      && left.next?.page == right.next?.page && left.next?.key == right.next?.key
  }
}

/// The state of an output, as `lookahead state` shows and changes it.
public struct RememberedState {
  private let path: String

  /// The state in a database, or in the file beside a text; nil where nothing is remembered.
  public init?(of output: String, format: SinkFormat?) throws(HostFailure) {
    let name = output.hasSuffix("/") ? String(output.dropLast()) : output
    let isDatabase = (format ?? .format(forPath: output)) == .sqlite
    var status = stat()
    guard
      stat(name, &status) == 0 || stat(name + ".partial", &status) == 0 || stat(name + ".state", &status) == 0
    else {
      throw HostFailure(.notFound, "\(output.escapingControls): there is no such output")
    }
    path = isDatabase ? name : name + ".state"
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    let hasTables = try RememberedState.with(path, isReadOnly: true) {
      try $0.tableExists("_lookahead_readings")
    }
    guard hasTables else { return nil }
  }

  /// All readings, by stream and partition.
  public func readings() throws(HostFailure) -> [RememberedReading] {
    try RememberedState.with(path, isReadOnly: true) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM _lookahead_readings ORDER BY stream, partition").map {
        row in
        let position = (row["position"] as String?).flatMap { Position(text: $0) }
        return RememberedReading(
          stream: row["stream"], partition: row["partition"], number: row["number"], state: row["state"],
          items: row["items"], next: position.map { ($0.pages + 1, $0.key?.description ?? "") },
          bookmark: row["bookmark"])
      }
    }
  }

  /// Forgets a source, one part of it, or everything; returns how many readings that were.
  public func reset(_ selection: Selection) throws(HostFailure) -> Int {
    try RememberedState.with(path, isReadOnly: false) { database in
      try database.inTransaction {
        try database.execute(
          sql: "DELETE FROM _lookahead_readings WHERE \(selection.condition)", arguments: selection.arguments)
        return .commit
      }
      let count = database.changesCount
      try database.execute(
        sql: """
          DELETE FROM _lookahead_ids WHERE reading NOT IN (SELECT id FROM _lookahead_readings);
          DELETE FROM _lookahead_aside WHERE owner > 0 AND owner NOT IN (SELECT id FROM _lookahead_readings);
          """)
      return count
    }
  }

  /// Sets the bookmark of a source, as JSON; returns how many readings have it now.
  public func setBookmark(_ bookmark: String, of selection: Selection) throws(HostFailure) -> Int {
    try RememberedState.with(path, isReadOnly: false) { database in
      try database.execute(
        sql: "UPDATE _lookahead_readings SET bookmark = ? WHERE \(selection.condition)",
        arguments: [bookmark] + selection.arguments)
      return database.changesCount
    }
  }

  /// Readings by their name: `items`, or `items{"account":"2"}`; empty is all.
  public struct Selection {
    let condition: String
    let arguments: StatementArguments

    public init(_ name: String) {
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
  }

  private static func with<Result>(
    _ path: String, isReadOnly: Bool, _ body: (Database) throws -> Result
  ) throws(HostFailure) -> Result {
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      configuration.readonly = isReadOnly && !path.hasSuffix(".state")
      configuration.allowsUnsafeTransactions = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.inDatabase(body)
    } catch {
      throw HostFailure(error, database: path.escapingControls, showsSQL: false)
    }
  }
}
