import Glibc

/// The proxy of an address according to the environment: `http_proxy`, `https_proxy` and `all_proxy`, minus `no_proxy`.
///
/// Read here and not by libcurl, so that it is known whether a request uses one. As in libcurl, the names may be lower
/// or upper case, except `HTTP_PROXY`: in a CGI process it would come from a request header.
struct HTTPProxy {
  /// As in the variable.
  let url: String
  /// The name of the variable.
  let variable: String

  /// Nil for a direct connection.
  init?(for address: HTTPAddress) {
    let names =
      (address.scheme == .http ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]) + [
        "all_proxy", "ALL_PROXY",
      ]
    guard let variable = names.first(where: { hostVariable($0) != nil }), let url = hostVariable(variable),
      !HTTPProxy.isExempt(address.host, from: hostVariable("no_proxy") ?? hostVariable("NO_PROXY") ?? "")
    else { return nil }
    self.url = url
    self.variable = variable
  }

  /// Whether the list contains the host: by its name or a parent domain, by its address or a network such as
  /// `10.0.0.0/8`.
  private static func isExempt(_ host: HostName, from list: String) -> Bool {
    if list == "*" { return true }
    return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
      let entry = entry.hasPrefix(".") ? entry.dropFirst() : entry
      if host.isAddress { return isWithin(host, entry) }
      guard let name = HostName(entry), !name.isAddress else { return false }
      return host == name || host.text.hasSuffix("." + name.text)
    }
  }

  private static func isWithin(_ host: HostName, _ entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let needsBrackets = parts[0].contains(":") && !parts[0].hasPrefix("[")
    guard let net = HostName(needsBrackets ? "[\(parts[0])]" : String(parts[0])), net.isAddress else {
      return false
    }
    guard parts.count == 2 else { return host == net }
    let (bits, netBits) = (host.addressBytes, net.addressBytes)
    guard bits.count == netBits.count, let length = Int(parts[1]), 0...bits.count * 8 ~= length else {
      return false
    }
    return (0..<length).allSatisfy { bit in
      let mask: UInt8 = 0x80 >> UInt8(bit % 8)
      return bits[bit / 8] & mask == netBits[bit / 8] & mask
    }
  }
}

/// The variable's value; nil if unset or empty.
func hostVariable(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
