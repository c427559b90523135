import Items

/// The request that follows a redirect (RFC 9110, 15.4).
///
/// What a script sends is meant for the server it names. Another origin gets only headers that describe the wanted
/// response; any other header may be a credential, whatever its name.
struct Redirect: Sendable {
  let request: HTTPRequest
  /// The target is another origin, or unencrypted: headers that could be credentials are dropped.
  let droppedCredentials: Bool
  /// It is a GET without the body, as all clients make of a POST, though the server did not ask for one (303).
  let droppedBody: Bool
  /// The redirect would send the body to another origin, which only the script may decide.
  let carriesBodyAway: Bool

  init(of request: HTTPRequest, to target: String, status: Int) {
    var next = request
    next.url = target
    if status == 303 ? request.method != "HEAD" : request.method == "POST" && status <= 302 {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    let isElsewhere = !Credentials.stay(request.url, and: target)
    let count = next.headers.count
    let login = request.url.login
    if isElsewhere {
      next.headers.removeAll { Credentials.mayBe($0.name) }
    } else if let login, target.login == nil {
      next.url = target.with(login: login)
    }
    droppedCredentials = next.headers.count < count || isElsewhere && login != nil
    // A form that signs somebody in is answered so, and what follows is the page behind it.
    let isForm = request.headers.contains {
      $0.name.lowercased() == "content-type" && $0.value.lowercased().contains("form")
    }
    droppedBody = status != 303 && (request.body?.count ?? 0) > 0 && next.body == nil && !isForm
    carriesBodyAway = isElsewhere && next.body != nil
    self.request = next
  }
}

extension HTTPResponse {
  /// Where to continue, if the status is a redirect with a target.
  var redirectTarget: String? {
    [301, 302, 303, 307, 308].contains(status) ? redirectURL : nil
  }
}

private extension String {
  /// Name, password, host and port in an address.
  var authority: Range<Index>? {
    guard let start = firstRange(of: "://")?.upperBound else { return nil }
    return start..<(self[start...].firstIndex { "/?#\\".contains($0) } ?? endIndex)
  }

  /// Its name and password, as written; nil where it has none.
  var login: Substring? {
    guard let authority, let at = self[authority].lastIndex(of: "@") else { return nil }
    return self[authority.lowerBound..<at]
  }

  /// The same address with a name and a password.
  func with(login: Substring) -> String {
    guard let authority else { return self }
    return self[..<authority.lowerBound] + login + "@" + self[authority.lowerBound...]
  }
}

/// The origin of an address: scheme, host and port.
struct URLOrigin: Sendable, Hashable {
  let scheme: String
  /// Lowercase, including brackets.
  let host: String
  let port: String

  init(_ url: String) {
    var url = url
    self = url.withUTF8 { URLOrigin($0[...]) }
  }

  private init(_ url: Slice<UnsafeBufferPointer<UInt8>>) {
    func text(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> String { String(decoding: part, as: UTF8.self) }
    let mark = URLOrigin.schemeEnd(in: url)
    scheme = mark.map { text(url[..<$0]).lowercased() } ?? ""
    var authority = url[(mark.map { $0 + 3 } ?? url.startIndex)...]
    authority = authority.prefix { $0 != .slash && $0 != .question && $0 != .hash && $0 != .backslash }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
    let hostEnd = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let colon = authority[hostEnd...].firstIndex(of: UInt8(ascii: ":"))
    host = text(authority[..<(colon ?? authority.endIndex)]).lowercased()
    let given = colon.map { text(authority[($0 + 1)...]) } ?? ""
    port = given.isEmpty ? (scheme == "https" ? "443" : "80") : given
  }

  /// The place of the first `://`.
  private static func schemeEnd(in url: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    url.indices.dropLast(2).first {
      url[$0] == UInt8(ascii: ":") && url[$0 + 1] == .slash && url[$0 + 2] == .slash
    }
  }

  /// Whether data for this origin may go to the other one: it is the same, or the same host upgraded to encryption.
  func isSame(as other: URLOrigin) -> Bool {
    if self == other { return true }
    return host == other.host && hasDefaultPort && other.hasDefaultPort && scheme == "http"
      && other.scheme == "https"
  }

  /// The host, with its port unless it is the default.
  var lane: String { hasDefaultPort ? host : "\(host):\(port)" }

  var hasDefaultPort: Bool { port == (scheme == "https" ? "443" : "80") }
}

extension RequestGate {
  /// The host of an address, with its port unless it is the default.
  func laneName(of url: String) -> String { URLOrigin(url).lane }
}

extension UInt8 {
  static let slash = UInt8(ascii: "/")
  static let question = UInt8(ascii: "?")
  static let hash = UInt8(ascii: "#")
  static let backslash = UInt8(ascii: "\\")
}
