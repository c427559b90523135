import Glibc
import Items

/// The trusted root certificates.
public struct TrustedRoots: Sendable, Equatable {
  /// Their file or directory.
  public let path: String
  /// Their number; nil for a directory.
  public let count: Int?

  /// Those used for requests: from the environment, or else the system's; nil if there are none.
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
