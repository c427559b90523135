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
    guard let equals = parameter.firstIndex(of: "="), isSecret(parameter[..<equals]) else { return parameter }
    return parameter[...equals] + "…"
  }
  return text[...mark] + redacted.joined(separator: "&")
}

/// Whether a parameter of that name is likely to hold a secret; the tokens of paging are none.
private func isSecret(_ name: Substring) -> Bool {
  let name = name.lowercased()
  if ["page", "next", "continu", "cursor"].contains(where: name.contains) { return false }
  if ["auth", "key", "sig"].contains(name) { return true }
  return ["token", "secret", "password", "apikey", "api_key", "access_key", "signature"].contains(
    where: name.contains)
}
