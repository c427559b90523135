import Paging

/// The address of a database server, as libpq takes it, with what is ours in it.
///
///     let address = ServerAddress("postgresql://ada:secret@db.example.com/shop?schema=raw")
///     address?.shown  // "postgresql://ada@db.example.com/shop?schema=raw"
///     address?.schema  // "raw"
public struct ServerAddress: Sendable, Equatable {
  /// What the driver is given.
  let url: String
  /// For messages, without passwords.
  public let shown: String
  /// Texts that are never shown.
  public let secrets: [String]
  /// The schema that tables are in; nil is the connection's own.
  let schema: String?
  /// Whether the host is a number, or none, so that no name is looked up.
  let hasPlainHost: Bool

  /// Nil if the text is no address of PostgreSQL.
  public init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "postgresql" || scheme == "postgres" else { return nil }
    let rest = text[mark.upperBound...]
    let query = rest.firstIndex(of: "?")
    let place = rest[..<(query ?? rest.endIndex)]
    let authority = place.prefix { $0 != "/" }
    let at = authority.lastIndex(of: "@")
    let user = at.map { authority[..<$0] }
    let hosts = at.map { authority[authority.index(after: $0)...] } ?? authority
    var secrets: [String] = []
    func keep(_ secret: Substring) {
      for form in [String(secret), secret.decoded] where !form.isEmpty && !secrets.contains(form) {
        secrets.append(form)
      }
    }
    if let user, let colon = user.firstIndex(of: ":") { keep(user[user.index(after: colon)...]) }
    let parameters = query.map { rest[rest.index(after: $0)...].split(separator: "&") } ?? []
    func name(_ parameter: Substring) -> Substring { parameter.prefix { $0 != "=" } }
    func value(_ parameter: Substring) -> Substring { parameter[name(parameter).endIndex...].dropFirst() }
    for parameter in parameters where name(parameter).hasSuffix("password") { keep(value(parameter)) }
    schema = parameters.last { name($0) == "schema" }.map { value($0).decoded }
    var given = parameters.filter { name($0) != "schema" }
    if !given.contains(where: { name($0).hasSuffix("application_name") }) {
      given.append("fallback_application_name=lookahead")
    }
    url = "\(scheme)://\(place)?\(given.joined(separator: "&"))"
    let harmless = parameters.filter { !name($0).hasSuffix("password") }
    let shownUser = user.map { "\($0.prefix { $0 != ":" })@" } ?? ""
    shown =
      "\(scheme)://\(shownUser)\(hosts)\(place[authority.endIndex...])"
      + (harmless.isEmpty ? "" : "?\(harmless.joined(separator: "&"))")
    self.secrets = secrets
    hasPlainHost = !hosts.isEmpty && hosts.utf8.allSatisfy { "0123456789.:[]abcdef,%/".utf8.contains($0) }
  }
}

extension Substring {
  /// Without the escapes of a URL.
  var decoded: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.first {
      let digits = rest.dropFirst().prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, let code = UInt8(Substring(digits), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
