import Glibc

/// Which connections a process in the cage can make. Which hosts they go to is not the kernel's to say: that is checked above it.
public enum CageNet: Sendable, Equatable {
  /// There are no sockets.
  case none
  /// TCP to these ports, or with nil to all; names are looked up where there are any.
  case tcp(ports: [UInt16]?, looksUpNames: Bool)

  /// What the granted hosts need. Ports are known where each of them has one.
  init(_ access: Access<NetPattern>, hasProxy: Bool = CageNet.hasProxy) {
    switch access.granted {
    case .none: self = .none
    case .all: self = .tcp(ports: nil, looksUpNames: true)
    case .only(let patterns):
      let places = patterns.map { pattern in
        let text = "\(pattern)"
        return HostAndPort(text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)
      }
      // A proxy has a name and a port of its own.
      let looksUpNames = hasProxy || places.contains { $0?.host.isAddress != true }
      let ports = places.compactMap { $0?.port }.compactMap { UInt16(exactly: $0) }
      let isKnown = !hasProxy && ports.count == places.count
      self = .tcp(ports: isKnown ? Set(ports).sorted() : nil, looksUpNames: looksUpNames)
    }
  }

  /// Whether a variable names a proxy.
  private static var hasProxy: Bool {
    ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"].contains { (name: String) in
      getenv(name).map { $0.pointee != 0 } ?? false
    }
  }

  /// The port of name servers, for answers that are too long for a datagram.
  static let nameServerPort: UInt16 = 53
}
