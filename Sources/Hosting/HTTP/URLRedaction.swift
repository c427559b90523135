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
