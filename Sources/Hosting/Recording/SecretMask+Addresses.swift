import Items

extension SecretMask {
  /// The URL without user and password, and without the values of parameters that look like secrets.
  ///
  /// Where a parameter may also be a place in the data, a fingerprint of its value stays, so that a replay can tell
  /// one page from another.
  func masked(url: String) -> String {
    let url = masked(url)
    let end = url.firstIndex(of: "#") ?? url.endIndex
    guard let mark = url[..<end].firstIndex(of: "?") else { return withoutLogin(url) }
    let parameters = url[url.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
    let masked = parameters.map { parameter -> String in
      guard let equals = parameter.firstIndex(of: "=") else { return String(parameter) }
      let value = String(parameter[parameter.index(after: equals)...])
      return parameter[...equals] + self.masked(value, ofParameter: String(parameter[..<equals]))
    }
    return withoutLogin(String(url[...mark])) + masked.joined(separator: "&") + url[end...]
  }

  /// Remembers the user's password and parameters that can be nothing but secrets: an answer may repeat them.
  func learn(url: String) {
    if let address = try? HTTPAddress(url), let login = address.login { learn(login.password) }
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    for parameter in query.prefix(while: { $0 != "#" }).split(separator: "&") {
      let pair = parameter.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, SecretNames.isSecret(parameter: pair[0]),
        !SecretNames.isAmbiguous(parameter: pair[0])
      else { continue }
      learn(pair[1])
    }
  }

  /// Remembers a secret that was found on the way; short ones are too likely to be a part of something else.
  public func learn(_ secret: String) {
    if secret.utf8.count >= 8 { add(secret) }
  }

  private func masked(_ value: String, ofParameter name: String) -> String {
    guard SecretNames.isSecret(parameter: name), !value.isEmpty, !value.hasPrefix("[secret") else {
      return value
    }
    guard SecretNames.isAmbiguous(parameter: name) else { return SecretMask.placeholder }
    let digest = sha256(key: nil, data: Array(value.utf8)).prefix(4)
    return "[secret:\(digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())]"
  }

  private func withoutLogin(_ url: String) -> String {
    guard let start = url.firstRange(of: "//")?.upperBound else { return url }
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[start..<end].lastIndex(of: "@") else { return url }
    return url[..<start] + SecretMask.placeholder + url[at...]
  }
}
