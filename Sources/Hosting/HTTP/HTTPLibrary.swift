import CCurl

/// libcurl, which is loaded when it is first needed: with the libraries behind it that takes longer than all else at the start.
public enum HTTPLibrary {
  /// Loads it ahead of the first request, where that one may come in the cage, in which its files can't be read; returns
  /// why it can't be loaded.
  @discardableResult
  static func load() -> String? {
    ccurl_load().map { "libcurl can't be loaded (\(String(cString: $0)))" }
  }

  /// Such as `libcurl/7.88.1 OpenSSL/3.0.15`, or why there is none.
  public static var version: Result<String, Missing> {
    guard let version = ccurl_version() else { return .failure(Missing(reason: load() ?? "")) }
    return .success(String(cString: version))
  }

  /// Why it can't be loaded.
  public struct Missing: Error {
    /// In words.
    public let reason: String
  }
}
