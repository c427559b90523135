import ArgumentParser
import Hosting

/// `lookahead drivers`: the drivers for databases on this machine, and how to get more.
struct DriversCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drivers", _superCommandName: Release.name,
    abstract: "List the drivers for databases, or install one.",
    discussion: """
      EXAMPLES
        lookahead drivers
        lookahead drivers install postgresql
        lookahead drivers --format json

      A driver is a library that speaks ADBC. Scripts reach PostgreSQL, DuckDB
      and Parquet files with one, by lookahead.database; all else works without.

      To install is to have pip put a package of PyPI into a folder of its own,
      below ~/.local/share/lookahead/drivers, and to see whether it loads. What
      is done is said before. Known are postgresql, duckdb and sqlite.

      Ends with 73 if a driver can't be installed.
      """)

  /// How the drivers are written.
  enum Format: String, CaseIterable, ExpressibleByArgument { case table, json }

  @Argument(
    help: ArgumentHelp(
      "install and the name of a driver; nothing to list those that are there.", valueName: "action"))
  var action: [String] = []

  @Option(help: "Drivers as a table, or as a JSON array.")
  var format = Format.table

  func validate() throws { _ = try wanted }

  func run() throws {
    if let kind = try wanted { return try DriverInstallation(kind).run() }
    let list = DriverList()
    switch format {
    case .table: StandardOutput.show(list.text)
    case .json: StandardOutput.show(list.json)
    }
  }

  /// What is to be installed; nil for a list.
  private var wanted: DriverKind? {
    get throws {
      guard let verb = action.first else { return nil }
      let known = DriverKind.allCases.map(\.rawValue).joined(separator: ", ")
      guard verb == "install" else {
        throw ValidationError("drivers: expected nothing, or install and a name, got \(verb)")
      }
      guard action.count == 2, let kind = DriverKind(rawValue: action[1].lowercased()) else {
        let given = action.count > 1 ? action[1...].joined(separator: " ") : "nothing"
        throw ValidationError("drivers install: expected one of \(known), got \(given)")
      }
      return kind
    }
  }
}
