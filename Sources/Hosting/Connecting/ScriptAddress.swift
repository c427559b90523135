import Paging

/// What a script opens as a database, with what its address leaves to the environment.
enum ScriptAddress {
  case postgresql(ScriptServer)
  case duckDB(path: String)
  case parquet(path: String)
  case driver(DriverAddress)

  /// Reads what `database.open` was given; fails with what was expected.
  init(_ text: String) throws(HostFailure) {
    switch try DatabaseAddress(text) {
    case .postgresql(let address): self = .postgresql(try ScriptServer(address))
    case .duckDB(let path): self = .duckDB(path: path)
    case .parquet(let path): self = .parquet(path: path)
    case .driver(let address):
      guard !address.isPath else {
        throw HostFailure(
          .invalid, "\(address.shown): expected the name of a driver (LOOKAHEAD_DRIVERS may name its folder)")
      }
      self = .driver(address)
    }
  }

  /// The name of the driver that is needed.
  var driver: String {
    switch self {
    case .postgresql: DriverKind.postgresql.rawValue
    case .duckDB, .parquet: DriverKind.duckdb.rawValue
    case .driver(let address): address.driver
    }
  }

  /// Without passwords, for messages.
  var shown: String {
    switch self {
    case .postgresql(let server): server.shown
    case .duckDB(let path), .parquet(let path): path.escapingControls
    case .driver(let address): address.shown
    }
  }

  /// What must never be shown.
  var secrets: [String] {
    switch self {
    case .postgresql(let server): server.secrets
    case .driver(let address): address.secrets
    case .duckDB, .parquet: []
    }
  }
}
