/// PostgreSQL, and the drivers for it and for DuckDB: what tests of databases need.
public enum TestDatabases {
  /// Whether everything is there.
  public static var areThere: Bool { PostgreSQLServer.isInstalled && TestDrivers.areInstalled }

  /// What a skipped test says.
  public static let need = "no PostgreSQL, or no drivers: scripts/bootstrap.sh --tests installs them"

  /// The variables of a command that finds these drivers.
  public static let environment = ["LOOKAHEAD_DRIVERS": TestDrivers.folder]
}
