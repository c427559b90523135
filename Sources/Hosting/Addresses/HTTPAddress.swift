import Items
public import Paging

/// A strictly parsed `http` or `https` URL: what is checked is what is connected to.
///
/// Rejects URLs that two parsers could read differently: backslashes, white space, control characters, escapes or
/// non-ASCII characters in the host, a missing host. A port that is left empty is the usual one (RFC 3986, 3.2.3).
///
/// ```swift
/// let address = try HTTPAddress("https://api.example.com/items?page=2")
/// address.hostAndPort  // "api.example.com"
/// ```
public struct HTTPAddress: Sendable, Hashable {
  /// The scheme of the URL.
  public enum Scheme: String, Sendable {
    case http, https

    /// The port if the URL has none.
    var defaultPort: Int { self == .http ? 80 : 443 }
  }

  public let scheme: Scheme
  /// Everything before the last `@`, as written; never for messages.
  let userInfo: String?
  public let host: HostName
  public let port: Int
  /// Path and query, starting with a slash; without the fragment, in ASCII.
  public let target: String

  /// Parses the URL; throws `.invalid` with the reason.
  public init(_ url: String) throws(HostFailure) {
    let text = Array(url.utf8)
    func refused(_ reason: String) -> HostFailure {
      HostFailure(.invalid, "\"\(redactingURL(url))\" is not a URL to ask: \(reason)")
    }
    if text.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      throw refused("it contains white space or a control character (encode it)")
    }
    if text.contains(UInt8(ascii: "\\")) { throw refused("it contains a backslash (encode it as %5C)") }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8),
      let scheme = Scheme(rawValue: String(decoding: text[..<colon], as: UTF8.self).lowercased())
    else { throw refused("it does not begin with http:// or https://") }

    let rest = text[(colon + 3)...]
    let end = rest.firstIndex(where: HTTPAddress.endsAuthority) ?? rest.endIndex
    let authority = rest[..<end]
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    let place = String(decoding: at.map { authority[($0 + 1)...] } ?? authority, as: UTF8.self)
    let hasEmptyPort = place.hasSuffix(":")
    guard let hostAndPort = HostAndPort(hasEmptyPort ? String(place.dropLast()) : place),
      !hasEmptyPort || hostAndPort.port == nil
    else {
      throw refused("its host is missing or malformed")
    }

    self.scheme = scheme
    userInfo = at.map { String(decoding: authority[..<$0], as: UTF8.self) }
    host = hostAndPort.host
    port = hostAndPort.port ?? scheme.defaultPort
    target = HTTPAddress.target(rest[end...])
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// The normalised URL to connect to, without user and password.
  public var url: String { "\(scheme.rawValue)://\(hostAndPort)\(target)" }

  /// Scheme, host and port, such as `https://api.example.com:8443`.
  var origin: String { "\(scheme.rawValue)://\(hostAndPort)" }

  /// Such as `api.example.com`, with the port unless it is the default.
  public var hostAndPort: String { port == scheme.defaultPort ? host.inURL : "\(host.inURL):\(port)" }

  private static func target(_ text: ArraySlice<UInt8>) -> String {
    let text = text.prefix { $0 != UInt8(ascii: "#") }
    var target = text.first == UInt8(ascii: "/") ? "" : "/"
    if text.allSatisfy({ $0 < 0x80 }) {
      target += String(decoding: text, as: UTF8.self)
    } else {
      for byte in text { target += byte < 0x80 ? String(UnicodeScalar(byte)) : byte.percentEncoded }
    }
    return target
  }
}

extension UInt8 {
  /// Such as `%C3`.
  var percentEncoded: String { "%" + String(self, radix: 16, uppercase: true) }
}

extension HTTPAddress {
  /// User and password of the URL, decoded; nil if there are none.
  var login: (user: String, password: String)? {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (decodingPercents(parts[0]), parts.count > 1 ? decodingPercents(parts[1]) : "")
  }
}

/// A part of a URL without its percent encoding.
func decodingPercents(_ text: Substring) -> String {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), let value = UInt8(hexadecimal: rest.prefix(2)), value != 0 {
      bytes.append(value)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
