import Glibc
import Paging

/// The one server that a script's address leads to, by TCP, so that what is checked is what is connected to.
///
/// What the address leaves out comes from where libpq has it, in its order: a service of `PGSERVICEFILE`, variables of the environment,
/// the file of passwords.
struct ScriptServer {
  /// For permissions: where the connection goes.
  let address: HTTPAddress
  let shown: String
  /// Never shown.
  let secrets: [String]
  private var settings: [PostgreSQLAddress.Setting]

  /// Settings that reach no other server and no file.
  private static let allowed: Set = [
    "application_name", "connect_timeout", "sslmode", "keepalives", "keepalives_idle", "keepalives_interval",
    "keepalives_count", "tcp_user_timeout", "target_session_attrs", "channel_binding", "options",
    "gssencmode", "service", "host", "port", "user", "password", "dbname",
  ]

  /// Fails if there is no such server, or more than one.
  init(_ given: PostgreSQLAddress) throws(HostFailure) {
    let refused = given.settings.first { !ScriptServer.allowed.contains($0.name) }?.name
    if let name = refused ?? (given.schema == nil ? nil : "schema") {
      throw HostFailure(
        .invalid,
        "\(given.shown): the setting \(name.escapingControls) is not one that a script may give: expected one of "
          + ScriptServer.allowed.sorted().joined(separator: ", "))
    }
    var settings = given.settings.filter { !$0.value.isEmpty }
    if let service = given["service"] ?? hostVariable("PGSERVICE") {
      guard let values = ServiceFile.shared.settings(of: service) else {
        throw HostFailure(
          .invalid,
          "\(given.shown): no service \(service.escapingControls) is known (PGSERVICEFILE, or ~/.pg_service.conf)"
        )
      }
      settings.removeAll { $0.name == "service" }
      settings += values.filter { value in !settings.contains { $0.name == value.name } }
    }
    func value(_ name: String, _ variable: String) -> String? {
      settings.first { $0.name == name && !$0.value.isEmpty }?.value ?? hostVariable(variable)
    }
    let host = value("host", "PGHOST") ?? ""
    // Where it connects to, whatever the host is called.
    let numeric = value("hostaddr", "PGHOSTADDR")
    address = try ScriptServer.address(numeric ?? host, value("port", "PGPORT") ?? "5432", given.shown)
    guard let user = value("user", "PGUSER") ?? hostVariable("USER") ?? hostVariable("LOGNAME") else {
      throw HostFailure(
        .invalid,
        "\(given.shown) names no user, and the environment neither: write postgresql://user@host/database")
    }
    let database = value("dbname", "PGDATABASE") ?? user
    let password =
      value("password", "PGPASSWORD")
      ?? PasswordFile.shared.password(
        host: host.isEmpty ? address.host.text : host, port: address.port, database: database, user: user)
    let place = [
      ("host", host.isEmpty ? address.host.text : host), ("hostaddr", numeric ?? ""),
      ("port", "\(address.port)"),
      ("dbname", database), ("user", user), ("password", password ?? ""),
    ]
    settings.removeAll { setting in place.contains { $0.0 == setting.name } }
    if !settings.contains(where: { $0.name == "connect_timeout" }) {
      settings.append(.init(name: "connect_timeout", value: "15"))
    }
    self.settings = place.map { PostgreSQLAddress.Setting(name: $0, value: $1) } + settings
    secrets = given.secrets + [password].compactMap(\.self)
    shown =
      "postgresql://\(AddressText.encoded(user))@\(address.host.inURL):\(address.port)/\(AddressText.encoded(database, keeping: "/"))"
  }

  /// What libpq is given; `numeric` are the addresses that the host was found to have.
  func connectionString(numeric: [String]) -> String {
    var settings = settings
    if let first = numeric.first {
      settings.removeAll { $0.name == "hostaddr" }
      settings.append(.init(name: "hostaddr", value: first))
    }
    return PostgreSQLAddress.connectionString(settings)
  }

  private static func address(
    _ host: String, _ port: String, _ shown: String
  ) throws(HostFailure) -> HTTPAddress {
    guard !host.isEmpty, !host.hasPrefix("/"), !host.hasPrefix("@") else {
      throw HostFailure(
        .invalid,
        "\(shown) names no host: write postgresql://user@localhost/database (a socket of this machine is out of a script's reach)"
      )
    }
    guard !host.contains(",") else {
      throw HostFailure(.invalid, "\(shown) names several hosts: expected one")
    }
    do throws(HostFailure) {
      return try HTTPAddress("http://\(host.contains(":") ? "[\(host)]" : host):\(port)/")
    } catch {
      throw HostFailure(
        .invalid,
        "\(shown) is not an address of a database: expected postgresql://user:password@host:port/database")
    }
  }
}
