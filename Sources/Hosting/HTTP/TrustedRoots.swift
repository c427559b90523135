import Glibc
import Items

/// The certificates by which servers are known.
public struct TrustedRoots: Sendable, Equatable {
  /// The file or folder that they are in.
  public let path: String
  /// How many there are; nil for a folder.
  public let count: Int?

  /// Those that requests go by: what the environment names, or else what the system has; nil when there are none.
  public static var current: TrustedRoots? {
    let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap { (name: String) in
      getenv(name).map { String(cString: $0) }
    }.filter { !$0.isEmpty }
    for path in named + usual {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { return TrustedRoots(path: path, count: nil) }
      let count = certificates(in: path)
      if count > 0 { return TrustedRoots(path: path, count: count) }
    }
    return nil
  }

  private static let usual = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  private static func certificates(in path: String) -> Int {
    guard let bytes = try? WholeFile.read(path) else { return 0 }
    let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    return text.split(separator: "\n").count { $0 == "-----BEGIN CERTIFICATE-----" }
  }
}
