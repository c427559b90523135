/// Which names are likely to stand for secrets, so that their values are not kept.
enum SecretNames {
  /// Parts of names that say so by themselves.
  private static let parts = [
    "token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "access_key", "access-key",
    "signature", "credential",
  ]
  /// Parts of the names of paging, whose tokens say where to go on and are no secrets.
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

  /// Whether a parameter of that name may also be a place in the data: then different values have to stay different.
  static func isAmbiguous(parameter name: String) -> Bool {
    let name = name.lowercased()
    return name == "key" || name.hasSuffix("token")
  }

  private static func isSecret(_ name: String) -> Bool {
    parts.contains(where: name.contains) && !paging.contains(where: name.contains)
  }
}

extension HTTPAddress {
  /// The URL for people to read: without user and password, and without the values of parameters that look like secrets.
  public var readable: String { redactingParameters(url[...]).escapingControls }
}

/// A text that was refused as a URL, for people to read; whatever could be a user and password is cut out.
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
