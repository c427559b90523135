/// Which names probably denote secrets, so that their values are not stored.
enum SecretNames {
  /// Parts of names that denote secrets.
  private static let parts = [
    "token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "access_key", "access-key",
    "signature", "credential",
  ]
  /// Parts of paging parameters, whose tokens are positions, not secrets.
  private static let paging = ["page", "next", "continu", "cursor"]

  static func isSecret(header name: String) -> Bool {
    let name = name.lowercased()
    return ["authorization", "proxy-authorization", "cookie", "set-cookie"].contains(name) || isSecret(name)
  }

  static func isSecret(parameter name: String) -> Bool {
    let name = name.lowercased()
    return ["auth", "key", "sig"].contains(name) || isSecret(name)
  }

  static func isSecret(variable name: String) -> Bool {
    let name = name.lowercased()
    let words = name.split(separator: "_").map(String.init)
    return ["auth", "cookie", "pwd", "pat"].contains(where: words.contains) || name.hasSuffix("_key")
      || name == "key" || isSecret(name)
  }

  /// Whether a parameter with this name may also be a position in the data: then different values must remain distinct.
  static func isAmbiguous(parameter name: String) -> Bool {
    let name = name.lowercased()
    return name == "key" || name.hasSuffix("token")
  }

  private static func isSecret(_ name: String) -> Bool {
    parts.contains(where: name.contains) && !paging.contains(where: name.contains)
  }
}

extension HTTPAddress {
  /// The URL for display: without user and password, and without the values of parameters that look secret.
  public var readable: String { redactingParameters(url[...]).escapingControls }
}

/// A rejected URL for display; anything that could be a user and password is removed.
func redactingURL(_ text: String) -> String {
  guard let at = text.lastIndex(of: "@") else { return redactingParameters(text[...]).escapingControls }
  let start = text.firstRange(of: "//").map { text[..<$0.upperBound] } ?? ""
  return (start + redactingParameters(text[text.index(after: at)...])).escapingControls
}

private func redactingParameters(_ text: Substring) -> String {
  guard let mark = text.firstIndex(of: "?") else { return String(text) }
  let parameters = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
  let redacted = parameters.map { parameter in
    guard let equals = parameter.firstIndex(of: "="),
      SecretNames.isSecret(parameter: String(parameter[..<equals]))
    else { return parameter }
    return parameter[...equals] + "…"
  }
  return text[...mark] + redacted.joined(separator: "&")
}
