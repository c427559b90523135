import Glibc

/// Where a page is served: an address of this machine and a port.
///
/// `8090`, `:8090`, `localhost:8090`, `127.0.0.1:8090`, `[::1]:8090` and `0.0.0.0:8090` are some; port 0 is any free one.
/// Without an address it is the loopback, which only this machine reaches.
public struct ListenAddress: Sendable, Equatable {
  /// A numeric address, IPv6 without brackets.
  public let host: String
  public let port: Int

  /// Nil for anything else; names of other machines are none.
  public init?(_ text: String) {
    guard let (host, port) = Self.parts(of: text), port.allSatisfy({ "0123456789".contains($0) }),
      let number = Int(port), 0...65_535 ~= number
    else { return nil }
    let address = host.isEmpty || host == "localhost" ? "127.0.0.1" : host
    guard Self.isNumeric(address) else { return nil }
    (self.host, self.port) = (address, number)
  }

  init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  /// Whether only this machine reaches it.
  public var isLoopback: Bool {
    var address = in_addr()
    if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
    return host == "::1"
  }

  /// Whether it is every address of this machine.
  var isAny: Bool { host == "0.0.0.0" || host == "::" }

  /// As in a URL.
  public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static func parts(of text: String) -> (host: String, port: String)? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.hasPrefix(":") else { return nil }
      return (String(text[text.index(after: text.startIndex)..<end]), String(rest.dropFirst()))
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return ("", text)
    case 2: return (String(parts[0]), String(parts[1]))
    default: return nil
    }
  }

  private static func isNumeric(_ host: String) -> Bool {
    var (four, six) = (in_addr(), in6_addr())
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }
}
