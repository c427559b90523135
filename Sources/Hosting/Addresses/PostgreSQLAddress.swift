public import Paging
import Text

/// The address of PostgreSQL servers, read as libpq reads it ("Connection URIs" in its manual), with what is ours in it.
///
///     let address = try PostgreSQLAddress("postgresql://ada:secret@db.example.com/shop?schema=raw")
///     address.shown  // "postgresql://ada@db.example.com/shop?schema=raw"
///     address.schema  // "raw"
///
/// What libpq would take for something else than was meant, such as a password with a bare `@` in it, is refused.
public struct PostgreSQLAddress: Sendable, Equatable {
  /// A setting of a connection, by libpq's name.
  struct Setting: Sendable, Equatable {
    let name: String
    var value: String
  }

  /// Host, port, user, database and all others, each once.
  private(set) var settings: [Setting] = []
  /// The schema that tables are in; nil is the connection's own.
  let schema: String?
  /// For messages, without passwords.
  public let shown: String
  /// Texts that are never shown.
  public let secrets: [String]
  /// The names of secrets that stand in it.
  public let secretNames: [String]

  /// Whether a text is meant for an address of PostgreSQL.
  public static func isMeant(by text: String) -> Bool {
    let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
    return scheme == "postgresql" || scheme == "postgres"
  }

  /// Reads an address; with secrets, their names in braces stand for them.
  public init(_ text: String, secrets: [String: String]? = nil) throws(HostFailure) {
    do throws(AddressText.Mistake) {
      guard PostgreSQLAddress.isMeant(by: text), let mark = text.firstRange(of: "://") else {
        throw AddressText.Mistake(expected: "postgresql://user@host:port/database")
      }
      var reader = PostgreSQLAddressReader(text[mark.upperBound...], secrets)
      try reader.read()
      schema = reader.schema
      settings = reader.settings
      shown = reader.shown
      self.secrets = reader.secrets
      secretNames = reader.text.names
    } catch {
      throw HostFailure(
        .invalid, "postgresql://… is not an address of PostgreSQL: expected \(error.expected)")
    }
  }

  /// A setting by its name; nil if it is missing or empty.
  subscript(name: String) -> String? {
    settings.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// What libpq is given: `host='…' port='…' …`.
  var connectionString: String { PostgreSQLAddress.connectionString(settings) }

  /// The settings as libpq takes them, with our name as that of the program, unless it has another.
  static func connectionString(_ settings: [Setting]) -> String {
    (settings + [Setting(name: "fallback_application_name", value: "lookahead")]).map { setting in
      "\(setting.name)='\(setting.value.escaping("\\", as: "\\\\").escaping("'", as: "\\'"))'"
    }.joined(separator: " ")
  }

  /// Whether all hosts are numbers, so that no name is looked up.
  var hasPlainHosts: Bool {
    if let numeric = self["hostaddr"] { return !numeric.isEmpty }
    guard let hosts = self["host"] else { return false }
    return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      host.hasPrefix("/") || host.hasPrefix("@")
        || HostName(host.contains(":") ? "[\(host)]" : "\(host)")?
          .isAddress == true
    }
  }

  /// Files that it names, which libpq reads as it connects.
  var files: [String] {
    ["passfile", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir"].compactMap { self[$0] }
      .filter { $0.hasPrefix("/") }
  }
}

/// Reads an address from its front to its end.
private struct PostgreSQLAddressReader {
  var text: AddressText
  private(set) var settings: [PostgreSQLAddress.Setting] = []
  private(set) var schema: String?
  private(set) var secrets: [String] = []
  private(set) var shown = ""
  private var rest: Substring
  /// What is shown of each part.
  private var parts = (user: "", hosts: "", database: "", query: [String]())

  init(_ rest: Substring, _ secrets: [String: String]?) {
    self.rest = rest
    text = AddressText(secrets: secrets)
  }

  mutating func read() throws(AddressText.Mistake) {
    guard !rest.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw .init(expected: "no blanks (%20) or control characters")
    }
    let front = rest.prefix { $0 != "@" && $0 != "/" }
    if front.endIndex < rest.endIndex, rest[front.endIndex] == "@" {
      rest = rest[front.endIndex...].dropFirst()
      try readUser(front)
    }
    let hosts = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest[hosts.endIndex...]
    try readHosts(hosts)
    if rest.hasPrefix("/") {
      let name = rest.dropFirst().prefix { $0 != "?" }
      rest = rest[name.endIndex...]
      guard !name.contains("@") else { throw PostgreSQLAddressReader.bareSign }
      let database = try set("dbname", name)
      parts.database = shownText(name, database)
    }
    try readQuery(rest.dropFirst())
    shown =
      "postgresql://\(parts.user.isEmpty ? "" : "\(parts.user)@")\(parts.hosts)"
      + (parts.database.isEmpty ? "" : "/\(parts.database)")
      + (parts.query.isEmpty ? "" : "?\(parts.query.joined(separator: "&"))")
    secrets += text.values
  }

  private static let bareSign = AddressText.Mistake(
    expected: "one @, before the host (in a user or a password it is %40, and / is %2F)")

  private mutating func readUser(_ front: Substring) throws(AddressText.Mistake) {
    let name = front.prefix { $0 != ":" }
    let user = try set("user", name)
    parts.user = shownText(name, user)
    let password = front[name.endIndex...].dropFirst()
    if !password.isEmpty { try keep(password, set("password", password)) }
  }

  /// `host:port,host:port`, each of which may be missing.
  private mutating func readHosts(_ given: Substring) throws(AddressText.Mistake) {
    guard !given.contains("@") else { throw PostgreSQLAddressReader.bareSign }
    guard !given.isEmpty else { return }
    var (hosts, ports, shown) = ([String](), [Substring](), [String]())
    for place in given.split(separator: ",", omittingEmptySubsequences: false) {
      let host: Substring
      var after: Substring
      if place.hasPrefix("[") {
        host = place.dropFirst().prefix { $0 != "]" }
        after = place[host.endIndex...]
        guard after.hasPrefix("]"), HostName("[\(host)]") != nil else {
          throw .init(expected: "an address of IPv6 in brackets, as [::1]")
        }
        after = after.dropFirst()
      } else {
        host = place.prefix { $0 != ":" }
        after = place[host.endIndex...]
      }
      let port = after.dropFirst()
      let isPort = port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (port.isEmpty || 1...65535 ~= Int(port) ?? 0)
      guard isPort, after.isEmpty || after.hasPrefix(":") else {
        throw .init(
          expected:
            "a number from 1 to 65535 as the port (an address of IPv6 is in brackets, and a password before an @)"
        )
      }
      let name = try text.decoded(host)
      hosts.append(name)
      ports.append(port)
      let written = place.hasPrefix("[") ? "[\(name)]" : shownText(host, name, keeping: "{}")
      shown.append(written + (port.isEmpty ? "" : ":\(port)"))
    }
    parts.hosts = shown.joined(separator: ",")
    if hosts.contains(where: { !$0.isEmpty }) { put("host", hosts.joined(separator: ",")) }
    if ports.contains(where: { !$0.isEmpty }) { put("port", ports.joined(separator: ",")) }
  }

  /// Settings whose values are never secret.
  private static let shownSettings: Set = [
    "schema", "ssl", "host", "hostaddr", "port", "dbname", "user", "passfile", "service", "servicefile",
    "options",
    "application_name", "fallback_application_name", "client_encoding", "connect_timeout", "keepalives",
    "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "replication",
    "sslmode",
    "sslnegotiation", "sslcompression", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir", "sslsni",
    "ssl_min_protocol_version", "ssl_max_protocol_version", "requirepeer", "require_auth", "channel_binding",
    "krbsrvname", "gsslib", "gssencmode", "gssdelegation", "target_session_attrs", "load_balance_hosts",
  ]

  private mutating func readQuery(_ query: Substring) throws(AddressText.Mistake) {
    guard !query.isEmpty else { return }
    for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else {
        throw .init(expected: "settings as name=value&name=value (an = in a value is %3D, an & is %26)")
      }
      let name = try text.decoded(sides[0])
      guard name.utf8.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") }) else {
        throw .init(expected: "names of settings in small letters")
      }
      let value = try text.decoded(sides[1])
      switch name {
      // What is no known setting may be a password whose name is written wrong.
      case _ where !Self.shownSettings.contains(name):
        keep(sides[1], value)
        put(name, value)
        continue
      case "schema": schema = value.isEmpty ? nil : value
      case "ssl" where value == "true": put("sslmode", "require")
      default: put(name, value)
      }
      parts.query.append("\(name)=\(shownText(sides[1], value))")
    }
  }

  /// What is shown of a part: of one that secrets stand in, only their names.
  private func shownText(_ part: Substring, _ value: String, keeping others: String = "{},/:") -> String {
    AddressText.encoded(text.values.contains(where: value.contains) ? String(part) : value, keeping: others)
  }

  @discardableResult
  private mutating func set(_ name: String, _ part: Substring) throws(AddressText.Mistake) -> String {
    let value = try text.decoded(part)
    put(name, value)
    return value
  }

  /// The last one of a name counts.
  private mutating func put(_ name: String, _ value: String) {
    settings.removeAll { $0.name == name }
    settings.append(.init(name: name, value: value))
  }

  private mutating func keep(_ part: Substring, _ value: String) {
    for form in [value, String(part)] where !form.isEmpty && !secrets.contains(form) { secrets.append(form) }
  }
}
