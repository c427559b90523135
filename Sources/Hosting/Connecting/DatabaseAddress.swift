import Glibc
import Paging

/// What `database.open` was given: a server, a file, or anything that a driver knows.
enum DatabaseAddress {
  case postgresql(PostgreSQLAddress)
  /// A database of DuckDB.
  case duckDB(path: String)
  /// A Parquet file, or several by a pattern, read as the table `data`.
  case parquet(path: String)
  /// A driver by its name, with its own options.
  case driver(name: String, options: [(name: String, value: String)])

  /// Reads an address; fails with what was expected.
  init(_ text: String) throws(HostFailure) {
    let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
    switch scheme {
    case "postgresql"?, "postgres"?: self = .postgresql(try PostgreSQLAddress(text))
    case _ where text.hasPrefix("adbc:"): self = try DatabaseAddress.driver(text)
    case let scheme?:
      throw HostFailure(
        .invalid,
        "there is no database at \(scheme.escapingControls)://…: expected postgresql://…, a .duckdb or .parquet file, or adbc:NAME?…"
      )
    case nil:
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
  }

  /// The name of the driver that is needed.
  var driver: String {
    switch self {
    case .postgresql: DriverKind.postgresql.rawValue
    case .duckDB, .parquet: DriverKind.duckdb.rawValue
    case .driver(let name, _): name
    }
  }

  /// Without passwords, for messages.
  var shown: String {
    switch self {
    case .postgresql(let address): address.shown
    case .duckDB(let path), .parquet(let path): path.escapingControls
    case .driver(let name, _): "adbc:\(name)"
    }
  }

  /// What must never be shown.
  var password: String? { if case .postgresql(let address) = self { address.password } else { nil } }

  /// Whether it names a file, and nothing with passwords.
  static func isPath(_ text: String) -> Bool { !text.contains("://") && !text.hasPrefix("adbc:") }

  /// An address as it may be shown and recorded: without its password, whether it is a good one or not.
  static func redacted(_ text: String) -> String {
    if isPath(text) { return text }
    return text.hasPrefix("adbc:") ? String(text.prefix { $0 != "?" }) : redactingURL(text)
  }

  /// `adbc:NAME?key=value&…`
  private static func driver(_ text: String) throws(HostFailure) -> DatabaseAddress {
    let parts = text.dropFirst("adbc:".count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    let isName = !name.isEmpty && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || isalnum(Int32($0)) != 0 }
    guard isName else {
      throw HostFailure(
        .invalid, "\"\(redacted(text).escapingControls)\" names no driver: expected adbc:NAME?key=value")
    }
    let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: decodingPercents(sides[0]), value: sides.count > 1 ? decodingPercents(sides[1]) : "")
    }
    return .driver(name: name, options: pairs)
  }
}

/// `postgresql://user:password@host:port/database?settings`: one server, by TCP, so that what is checked is what is connected to.
struct PostgreSQLAddress {
  let address: HTTPAddress
  let database: String
  let user: String
  let password: String?
  private let settings: [(name: String, value: String)]

  /// Settings that reach no other server and no file.
  private static let allowed: Set = [
    "application_name", "connect_timeout", "sslmode", "keepalives", "keepalives_idle", "keepalives_interval",
    "keepalives_count", "tcp_user_timeout", "target_session_attrs", "channel_binding", "options",
    "gssencmode",
  ]

  init(_ text: String) throws(HostFailure) {
    let shown = redactingURL(text).escapingControls
    guard let colon = text.firstRange(of: "://") else {
      throw HostFailure(.invalid, "\(shown) is no address")
    }
    let rest = String(text[colon.upperBound...])
    let authority = rest.prefix { !"/?#".contains($0) }
    let hosts = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !hosts.isEmpty else {
      throw HostFailure(
        .invalid,
        "\(shown) names no host: write postgresql://user@localhost/database (a socket of this machine is out of a script's reach)"
      )
    }
    guard !hosts.contains(",") else {
      throw HostFailure(.invalid, "\(shown) names several hosts: expected one")
    }
    let port = hosts.split(separator: "]").last?.contains(":") == true
    let place = authority + (port ? "" : ":5432")
    do throws(HostFailure) {
      address = try HTTPAddress("http://\(place)\(rest.dropFirst(authority.count))")
    } catch {
      throw HostFailure(
        .invalid,
        "\(shown) is not an address of a database: expected postgresql://user:password@host:port/database")
    }
    let parts = address.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let login = address.login
    let user = login.flatMap { $0.user.isEmpty ? nil : $0.user } ?? PostgreSQLAddress.ownUser
    guard let user else {
      throw HostFailure(
        .invalid, "\(shown) names no user, and the environment neither: write postgresql://user@host/database"
      )
    }
    self.user = user
    let name = decodingPercents(parts[0].dropFirst())
    database = name.isEmpty ? user : name
    settings = try PostgreSQLAddress.settings(parts.count > 1 ? parts[1] : "", shown)
    let given = login.flatMap { $0.password.isEmpty ? nil : $0.password }
    password =
      given
      ?? PasswordFile.shared.password(
        host: address.host.text, port: address.port, database: database, user: user)
  }

  /// Without the password.
  var shown: String {
    "postgresql://\(user)@\(address.host.inURL):\(address.port)/\(database)".escapingControls
  }

  /// What libpq is given: `host='…' port='…' …`; `numeric` are the addresses that the host was found to have.
  func connectionString(numeric: [String]) -> String {
    var values = [
      ("host", address.host.text), ("port", String(address.port)), ("dbname", database), ("user", user),
    ]
    if let first = numeric.first { values.append(("hostaddr", first)) }
    if let password { values.append(("password", password)) }
    let names = settings.map(\.name)
    if !names.contains("application_name") { values.append(("application_name", "lookahead")) }
    if !names.contains("connect_timeout") { values.append(("connect_timeout", "15")) }
    values += settings.map { ($0.name, $0.value) }
    return values.map { name, value in
      "\(name)='\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }.joined(separator: " ")
  }

  private static func settings(
    _ query: Substring, _ shown: String
  ) throws(HostFailure) -> [(name: String, value: String)] {
    var settings: [(name: String, value: String)] = []
    for pair in query.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        decodingPercents)
      guard sides.count == 2, allowed.contains(sides[0]) else {
        throw HostFailure(
          .invalid,
          "\(shown): the setting \(sides[0].escapingControls) is not one that a script may give: expected one of "
            + allowed.sorted().joined(separator: ", "))
      }
      settings.append((sides[0], sides[1]))
    }
    return settings
  }

  private static var ownUser: String? {
    for name in ["PGUSER", "USER", "LOGNAME"] {
      if let user = getenv(name).map({ String(cString: $0) }), !user.isEmpty { return user }
    }
    return nil
  }
}
