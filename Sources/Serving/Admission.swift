/// Who may see the page: on the loopback whoever names it as this machine does, so that no page of another site reaches it
/// through a name of its own that points here (DNS rebinding); beyond it whoever knows the token.
struct Admission: Sendable {
  enum Verdict: Sendable, Equatable {
    case admitted, wrongHost, noToken
  }

  /// The names of the server in requests, with the port; nil is any.
  private let hosts: Set<String>?
  /// Nil where none is needed.
  let token: String?

  /// For a server at that address, with the port that it got.
  init(_ address: ListenAddress, token: String?) {
    self.token = token
    guard address.isLoopback else {
      hosts = nil
      return
    }
    let names = [
      "127.0.0.1", "localhost", "[::1]", address.host.contains(":") ? "[\(address.host)]" : address.host,
    ]
    hosts = Set(names.flatMap { address.port == 80 ? [$0, "\($0):80"] : ["\($0):\(address.port)"] })
  }

  /// What becomes of a request with these headers; `target` is its path with the query.
  func verdict(host: [String], authorization: String?, target: String) -> Verdict {
    if let hosts, host.count != 1 || !hosts.contains(host[0].lowercased()) { return .wrongHost }
    guard let token else { return .admitted }
    let given = [Self.token(in: target), authorization.flatMap(Self.bearer)]
    return given.contains { $0.map { Self.isSame($0, token) } ?? false } ? .admitted : .noToken
  }

  private static func token(in target: String) -> String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    return target[target.index(after: mark)...].split(separator: "&").first { $0.hasPrefix("token=") }
      .map { String($0.dropFirst(6)) }
  }

  private static func bearer(_ authorization: String) -> String? {
    authorization.lowercased().hasPrefix("bearer ") ? String(authorization.dropFirst(7)) : nil
  }

  /// Takes as long whatever is wrong.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
