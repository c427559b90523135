public import Paging

/// Hosts that are granted or denied: `api.example.com`, `api.example.com:8443`, `*.example.com`, `[::1]:8080`.
///
/// Without a port it stands for every port. The star stands for one or more labels, and not for the domain itself.
public struct NetPattern: Sendable, Equatable, CustomStringConvertible {
  private let host: HostName
  private let port: Int?
  private let coversSubdomains: Bool

  /// Reads a pattern, or says as `.invalid` what a pattern looks like.
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

  /// As it is written.
  public var description: String {
    (coversSubdomains ? "*." : "") + host.inURL + (port.map { ":\($0)" } ?? "")
  }

  /// Whether what is denied here is the address, or the same machine by another name.
  func denies(_ address: HTTPAddress) -> Bool {
    matches(address)
      || isOwnAddress && address.host.isOwnMachine && (port == nil || port == address.port)
  }

  /// Whether the address, in figures, that a name turned out to have is denied here.
  func denies(address: String, port: Int) -> Bool {
    guard self.port == nil || self.port == port,
      let peer = HostName(address.contains(":") ? "[\(address)]" : address)
    else { return false }
    return peer == host || isOwnAddress && peer.isOwnMachine
  }

  /// An address of the machine that the run is on; then all of its addresses are meant. A name is a name and no more.
  private var isOwnAddress: Bool { host.isAddress && host.isOwnMachine }

  /// Whether the address is one of these hosts.
  func matches(_ address: HTTPAddress) -> Bool {
    guard port == nil || port == address.port else { return false }
    guard coversSubdomains else { return host == address.host }
    return !address.host.isAddress && address.host.text.hasSuffix("." + host.text)
  }
}
