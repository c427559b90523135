import CCage
import Glibc

/// Which connections the caged process can make. The kernel does not check the hosts: that is done above it.
public enum CageNet: Sendable, Equatable {
  /// No sockets.
  case none
  /// Only connections that others make to a socket that is bound already.
  case taken
  /// Only connections that another process made and passed on.
  case passed
  /// TCP to these ports, or to all if nil, and name resolution if needed.
  case tcp(ports: [UInt16]?, looksUpNames: Bool)

  /// What it takes to reach that address, and no other port.
  public init(to address: HTTPAddress) {
    let host = address.host.text.contains(":") ? "[\(address.host.text)]" : address.host.text
    let pattern = try? NetPattern("\(host):\(address.port)")
    self.init(Access(pattern.map { .only([$0]) } ?? .all))
  }

  /// What the granted hosts need. Ports are restricted if each host has one.
  init(_ access: Access<NetPattern>, hasProxy: Bool = CageNet.hasProxy) {
    switch access.granted {
    case .none: self = .none
    case .all: self = .tcp(ports: nil, looksUpNames: true)
    case .only(let patterns):
      let places = patterns.map { pattern in
        let text = "\(pattern)"
        return HostAndPort(text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)
      }
      // A proxy has its own name and port.
      let looksUpNames = hasProxy || places.contains { $0?.host.isAddress != true }
      let ports = places.compactMap { $0?.port }.compactMap { UInt16(exactly: $0) }
      let isKnown = !hasProxy && ports.count == places.count
      self = .tcp(ports: isKnown ? Set(ports).sorted() : nil, looksUpNames: looksUpNames)
    }
  }

  /// The same, with connections that are passed on instead of none: where the kernel keeps the process from making its own.
  public var takingConnections: CageNet {
    self == .none && CageKernel.current.filtersCalls ? .passed : self
  }

  /// The same, with a connection to a server besides; what only takes connections goes on with the one that is there.
  func reaching(_ server: ServerReach) -> CageNet {
    if server.isAnywhere { return .tcp(ports: nil, looksUpNames: true) }
    if !server.folders.isEmpty { return self }
    switch self {
    case .passed, .taken: return self
    case .none:
      guard let port = server.port else { return .passed }
      return .tcp(ports: [port], looksUpNames: server.looksUpNames)
    case .tcp(let ports, let looksUpNames):
      guard let port = server.port else { return self }
      return .tcp(
        ports: ports.map { Set($0 + [port]).sorted() }, looksUpNames: looksUpNames || server.looksUpNames)
    }
  }

  /// How a process in the cage comes to a connection that it may have; nil if it can't.
  public func way(to address: HTTPAddress) -> ConnectionWay? {
    switch self {
    case .none, .taken: nil
    case .passed: .passed
    case .tcp(let ports, let looksUpNames):
      (looksUpNames || address.host.isAddress) && ports?.contains { $0 == address.port } != false
        ? .direct : nil
    }
  }

  /// Whether a variable names a proxy.
  private static var hasProxy: Bool {
    ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"].contains { (name: String) in
      getenv(name).map { $0.pointee != 0 } ?? false
    }
  }

  /// The DNS port, for answers too long for a datagram.
  static let nameServerPort: UInt16 = 53
}

/// Files the host itself opens while a script runs.
extension CageNet {
  var neededPaths: [CagePath] {
    var paths = CageNet.always.map { CagePath($0, CCAGE_READ) }
    paths.append(CagePath("/dev/null", CCAGE_IN_PLACE))
    paths += CageNet.terminals.map { CagePath($0, CCAGE_READ) }
    if self != .none, self != .taken { paths += CageNet.trust.map { CagePath($0, CCAGE_READ) } }
    if case .tcp(_, looksUpNames: true) = self {
      paths += CageNet.names.map { CagePath($0, CCAGE_READ) }
    }
    return paths
  }

  /// Time zones, random numbers, settings of memory and threads, and those of OpenSSL, which also hashes.
  private static let always = [
    "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible", "/proc/sys/vm/overcommit_memory", "/etc/ssl/openssl.cnf",
    "/usr/lib/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies",
  ]

  /// Terminal descriptions.
  private static var terminals: [String] {
    ["/etc/terminfo", "/lib/terminfo", "/usr/lib/terminfo", "/usr/share/terminfo"]
      + variable("TERMINFO") + variable("TERMINFO_DIRS") + variable("HOME").map { $0 + "/.terminfo" }
  }

  /// Certificates, never keys.
  private static var trust: [String] {
    [
      "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/usr/lib/ssl/certs",
      "/usr/lib/ssl/cert.pem",
      "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/pki/tls/certs",
      "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted", "/var/lib/ca-certificates",
    ] + ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF"].flatMap(variable)
  }

  /// Name resolution, with the libraries that the system loads for it; never the list of users.
  private static let names = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf",
    "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib", "/usr/lib64",
  ]

  /// The paths listed in a variable.
  private static func variable(_ name: String) -> [String] {
    guard let value = getenv(name) else { return [] }
    return String(cString: value).split(separator: ":").map(String.init)
  }
}
