/// A kind of database with a driver that is known by name: what it is called, and where its driver comes from.
public enum DriverKind: String, CaseIterable, Sendable {
  case postgresql, duckdb, sqlite

  /// As people write it.
  public var title: String {
    switch self {
    case .postgresql: "PostgreSQL"
    case .duckdb: "DuckDB"
    case .sqlite: "SQLite"
    }
  }

  /// What is opened with it.
  public var opens: String {
    switch self {
    case .postgresql: "postgresql://…"
    case .duckdb: "*.duckdb, *.parquet"
    case .sqlite: "adbc:sqlite?uri=…"
    }
  }

  /// The package of Python that brings it.
  public var package: String {
    switch self {
    case .postgresql: "adbc-driver-postgresql"
    case .duckdb: "duckdb"
    case .sqlite: "adbc-driver-sqlite"
    }
  }

  /// The function that its library exports; nil for the usual names.
  var entry: String? { self == .duckdb ? "duckdb_adbc_init" : nil }

  /// Whether the text of a script that opens databases speaks of this kind.
  func isNamed(in text: String) -> Bool {
    let words: [String] =
      switch self {
      case .postgresql: ["postgres"]
      case .duckdb: ["duckdb", "parquet"]
      case .sqlite: ["adbc:sqlite"]
      }
    return words.contains { text.contains($0) }
  }
}
