public import Paging

/// Hosts that are granted or denied: `api.example.com`, `api.example.com:8443`, `*.example.com`, `[::1]:8080`.
///
/// Without a port it stands for every port. The star stands for one or more labels, and not for the domain itself.
public struct NetPattern: Sendable, Equatable {
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

  /// Whether the address is one of these hosts.
  func matches(_ address: HTTPAddress) -> Bool {
    guard port == nil || port == address.port else { return false }
    guard coversSubdomains else { return host == address.host }
    return !address.host.isAddress && address.host.text.hasSuffix("." + host.text)
  }
}
