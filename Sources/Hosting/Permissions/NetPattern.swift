public import Paging

/// Hosts that are granted or denied: `api.example.com`, `api.example.com:8443`, `*.example.com`, `[::1]:8080`.
///
/// Without a port it matches every port. The star matches one or more labels, but not the domain itself.
public struct NetPattern: Sendable, Equatable, CustomStringConvertible {
  private let host: HostName
  private let port: Int?
  private let coversSubdomains: Bool

  /// Parses a pattern; throws `.invalid` with the expected form.
  public init(_ text: String) throws(HostFailure) {
    coversSubdomains = text.hasPrefix("*.")
    let rest = coversSubdomains ? String(text.dropFirst(2)) : text
    let isBareVersion6 = !rest.contains("[") && rest.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1
    guard let parts = HostAndPort(isBareVersion6 ? "[\(rest)]" : rest),
      !(coversSubdomains && parts.host.isAddress)
    else {
      throw HostFailure(
        .invalid,
        "\"\(text.escapingControls)\" names no host: write api.example.com, api.example.com:8443 or *.example.com"
      )
    }
    host = parts.host
    port = parts.port
  }

  /// As written.
  public var description: String {
    (coversSubdomains ? "*." : "") + host.inURL + (port.map { ":\($0)" } ?? "")
  }

  /// Whether a denial of this pattern covers the address, including the same machine by another name.
  func denies(_ address: HTTPAddress) -> Bool {
    matches(address) || (port == nil || port == address.port) && denies(address.host)
  }

  /// Whether the address, in figures, that a name turned out to have is denied here; `local` is the near end of the connection.
  /// Unreadable addresses are denied.
  func denies(address: String, local: String, port: Int) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    guard let peer = HostName(address.contains(":") ? "[\(address.prefix { $0 != "%" })]" : address) else {
      return true
    }
    return denies(peer) || meansOwnMachine && address == local
  }

  /// Whether what it denies is found by an address alone: then a name is harmless only once its address is known.
  var needsAddress: Bool { host.isAddress || meansOwnMachine }

  private func denies(_ other: HostName) -> Bool {
    ([other] + other.embedded).contains {
      $0.isAddress && $0 == host || meansOwnMachine && $0.isOwnMachine
    }
  }

  /// The machine that the run is on has many names and addresses; who denies one of them means it. Any other name is a name
  /// and no more: its addresses are reached by other names.
  private var meansOwnMachine: Bool { host.isOwnMachine }

  /// Whether the address is one of these hosts.
  func matches(_ address: HTTPAddress) -> Bool {
    guard port == nil || port == address.port else { return false }
    guard coversSubdomains else { return host == address.host }
    return !address.host.isAddress && address.host.text.hasSuffix("." + host.text)
  }
}
