import CCage
import Glibc

/// A path, and what Landlock grants there.
struct CagePath {
  let path: String
  let rights: ccage_right

  init(_ path: String, _ rights: ccage_right) {
    self.path = path
    self.rights = rights
  }

  /// A path that is granted for reading. One that is not there yet is granted by the folder that it will be in.
  init(reading path: String) {
    self.init(CagePath.mode(path) == nil ? CagePath.folder(of: path) : path, CCAGE_READ)
  }

  /// A path that is granted for writing. A file is replaced by another one, so it is the folder that is written.
  init(writing path: String) {
    switch CagePath.mode(path) {
    case S_IFDIR: self.init(path, CCAGE_WRITE)
    case S_IFREG, nil: self.init(CagePath.folder(of: path), CCAGE_WRITE)
    default: self.init(path, CCAGE_IN_PLACE)
    }
  }

  /// Where a call on the path would arrive; what is around that.
  static func folder(of path: String) -> String {
    guard let resolved = ResolvedPath(path)?.path, let slash = resolved.lastIndex(of: "/") else {
      return path
    }
    return slash == resolved.startIndex ? "/" : String(resolved[..<slash])
  }

  /// What kind of file is there.
  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// What the host itself opens while a script runs.
extension CagePath {
  static func needed(_ net: CageNet) -> [CagePath] {
    var paths = always.map { CagePath($0, CCAGE_READ) }
    paths.append(CagePath("/dev/null", CCAGE_IN_PLACE))
    paths += terminals.map { CagePath($0, CCAGE_READ) }
    if case .tcp(_, let looksUpNames) = net {
      paths += trust.map { CagePath($0, CCAGE_READ) }
      if looksUpNames { paths += names.map { CagePath($0, CCAGE_READ) } }
    }
    return paths
  }

  /// Time zones, random numbers, what memory and threads are made for, and the settings of OpenSSL, which also hashes.
  private static let always = [
    "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible", "/proc/sys/vm/overcommit_memory", "/etc/ssl/openssl.cnf",
    "/usr/lib/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies",
  ]

  /// What a terminal can do.
  private static var terminals: [String] {
    ["/etc/terminfo", "/lib/terminfo", "/usr/lib/terminfo", "/usr/share/terminfo"]
      + variable("TERMINFO") + variable("TERMINFO_DIRS") + variable("HOME").map { $0 + "/.terminfo" }
  }

  /// Certificates, and never keys.
  private static var trust: [String] {
    [
      "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/usr/lib/ssl/certs",
      "/usr/lib/ssl/cert.pem",
      "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/pki/tls/certs",
      "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted", "/var/lib/ca-certificates",
    ] + ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF"].flatMap(variable)
  }

  /// How names are looked up, with the libraries that the system loads for it; never the list of its users.
  private static let names = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf",
    "/etc/ld.so.cache", "/lib", "/lib64", "/usr/lib", "/usr/lib64",
  ]

  /// The paths that a variable lists.
  private static func variable(_ name: String) -> [String] {
    guard let value = getenv(name) else { return [] }
    return String(cString: value).split(separator: ":").map(String.init)
  }
}
