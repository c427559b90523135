/// The request that follows a redirect (RFC 9110, 15.4).
struct Redirect: Sendable {
  let request: HTTPRequest
  /// The other side is another one, or can be listened to: it gets no credentials.
  let droppedCredentials: Bool

  init(of request: HTTPRequest, to target: String, status: Int) {
    var next = request
    next.url = target
    if status == 303 ? request.method != "HEAD" : request.method == "POST" && status <= 302 {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { ["content-type", "content-length"].contains($0.name.lowercased()) }
    }
    let from = URLOrigin(request.url)
    let to = URLOrigin(target)
    let isOpen =
      from.host != to.host || from.port != to.port || from.scheme == "https" && to.scheme != "https"
    let isUpgrade = from.host == to.host && from.hasDefaultPort && to.hasDefaultPort && to.scheme == "https"
    let credentials = ["authorization", "cookie", "proxy-authorization"]
    let count = next.headers.count
    if isOpen, !isUpgrade { next.headers.removeAll { credentials.contains($0.name.lowercased()) } }
    droppedCredentials = next.headers.count < count
    self.request = next
  }
}

extension HTTPResponse {
  /// Where to go on, if the status says so and there is somewhere to go.
  var redirectTarget: String? {
    [301, 302, 303, 307, 308].contains(status) ? redirectURL : nil
  }
}

/// Who answers at an address: scheme, host and port.
struct URLOrigin: Sendable, Hashable {
  let scheme: String
  /// In small letters, brackets included.
  let host: String
  let port: String

  init(_ url: String) {
    let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    scheme = parts.count == 2 ? parts[0].lowercased() : ""
    let authority = (parts.last ?? "").prefix { !"/?#\\".contains($0) }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let hostEnd = place.lastIndex(of: "]").map { place.index(after: $0) } ?? place.startIndex
    let colon = place[hostEnd...].firstIndex(of: ":")
    host = place[..<(colon ?? place.endIndex)].lowercased()
    let given = colon.map { String(place[place.index(after: $0)...]) } ?? ""
    port = given.isEmpty ? (scheme == "https" ? "443" : "80") : given
  }

  var hasDefaultPort: Bool { port == (scheme == "https" ? "443" : "80") }
}

extension RequestGate {
  /// The host of an address, with its port where that is not the usual one.
  func laneName(of url: String) -> String {
    let origin = URLOrigin(url)
    return origin.hasDefaultPort ? origin.host : "\(origin.host):\(origin.port)"
  }
}
