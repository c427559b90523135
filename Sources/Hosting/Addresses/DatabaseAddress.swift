import Paging

/// Where a database is: a server, a file, or anything that a driver knows.
public enum DatabaseAddress: Sendable, Equatable {
  case postgresql(PostgreSQLAddress)
  /// A driver, with its own options.
  case driver(DriverAddress)
  /// A database of DuckDB.
  case duckDB(path: String)
  /// A Parquet file, or several by a pattern, read as the table `data`.
  case parquet(path: String)

  /// Reads what `database.open` was given; fails with what was expected.
  init(_ text: String) throws(HostFailure) {
    if let server = try DatabaseAddress.beyondFiles(text) {
      self = server
      return
    }
    if let mark = text.firstRange(of: "://") {
      throw HostFailure(
        .invalid,
        "there is no database at \(text[..<mark.lowerBound].lowercased().escapingControls)://…: "
          + "expected postgresql://…, a .duckdb or .parquet file, or adbc:NAME?…")
    }
    let ending = text.split(separator: ".", omittingEmptySubsequences: false).last.map { $0.lowercased() }
    switch ending {
    case "duckdb"?, "ddb"?: self = .duckDB(path: text)
    case "parquet"?, "pq"?: self = .parquet(path: text)
    default:
      throw HostFailure(
        .invalid,
        "\"\(text.escapingControls)\" is not known as a database by its ending: expected .duckdb, .parquet or postgresql://… "
          + "(lookahead.sqlite opens those of SQLite)")
    }
  }

  /// Reads the address of a server, or of what a driver knows.
  static func server(
    _ text: String, secrets: [String: String]?
  ) throws(HostFailure) -> DatabaseAddress {
    guard let address = try beyondFiles(text, secrets: secrets) else {
      throw HostFailure(.invalid, "expected postgresql://… or adbc:NAME?…")
    }
    return address
  }

  /// The address of a server, or of what a driver knows; nil where the text is a file, or a URL of something else. With secrets,
  /// their names in braces stand for them.
  static func beyondFiles(
    _ text: String, secrets: [String: String]? = nil
  ) throws(HostFailure) -> DatabaseAddress? {
    if PostgreSQLAddress.isMeant(by: text) {
      return .postgresql(try PostgreSQLAddress(text, secrets: secrets))
    }
    return DriverAddress.isMeant(by: text) ? .driver(try DriverAddress(text, secrets: secrets)) : nil
  }

  /// Without passwords, for messages.
  public var shown: String {
    switch self {
    case .postgresql(let address): address.shown
    case .duckDB(let path), .parquet(let path): path.escapingControls
    case .driver(let address): address.shown
    }
  }

  /// Texts that are never shown.
  public var secrets: [String] {
    switch self {
    case .postgresql(let address): address.secrets
    case .driver(let address): address.secrets
    case .duckDB, .parquet: []
    }
  }

  /// The names of secrets that stand in it.
  public var secretNames: [String] {
    switch self {
    case .postgresql(let address): address.secretNames
    case .driver(let address): address.secretNames
    case .duckDB, .parquet: []
    }
  }

  /// Whether it names a file, and nothing with passwords.
  static func isPath(_ text: String) -> Bool { !text.contains("://") && !DriverAddress.isMeant(by: text) }

  /// An address as it may be shown and recorded: without its password, whether it is a good one or not.
  static func redacted(_ text: String) -> String {
    if isPath(text) { return text }
    if DriverAddress.isMeant(by: text) { return String(text.prefix { $0 != "?" && $0 != "@" }) }
    guard PostgreSQLAddress.isMeant(by: text) else { return redactingURL(text) }
    return (try? PostgreSQLAddress(text))?.shown ?? "postgresql://…"
  }
}
