import Items
import Paging

extension SecretMask {
  /// Remembers a discovered secret; short ones are too likely to be part of something else.
  public func learn(_ secret: String) {
    if SecretMask.isLearned(secret) { add(secret) }
  }

  /// The same of one that a request has shown.
  private func learn(shown secret: String) {
    if SecretMask.isLearned(secret) { add(shown: secret) }
  }

  private static func isLearned(_ secret: String) -> Bool { secret.utf8.count >= 8 }

  /// Remembers the password and parameters that can only be secrets: an answer may repeat them. The script of a replay has them,
  /// too, unless they are part of something that is hidden from it.
  func learn(url: String, isHidden: Bool = false) {
    var secrets = SecretMask.secretParameters(of: url).map(\.value)
    if let address = try? HTTPAddress(url), let login = address.login { secrets.append(login.password) }
    for secret in secrets {
      if isHidden { learn(secret) } else { learn(shown: secret) }
    }
  }

  /// The parameters that can only be secrets, as they are written.
  private static func secretParameters(of url: String) -> [(name: String, value: String)] {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.prefix { $0 != "#" }.split(separator: "&").compactMap { parameter in
      let pair = parameter.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, SecretNames.isSecret(parameter: pair[0]),
        !SecretNames.isAmbiguous(parameter: pair[0])
      else { return nil }
      return (pair[0], pair[1])
    }
  }

  /// Remembers tokens issued by authorization servers in JSON (RFC 6749, 5.1).
  func learn(body: Bytes) {
    for name in ["\"access_token\"", "\"refresh_token\"", "\"id_token\"", "\"client_secret\""] {
      body.withUnsafeBytes { raw in
        var rest = raw
        while let place = rest.firstPlace(after: Array(name.utf8)) {
          rest = UnsafeRawBufferPointer(rebasing: rest[place...])
          if let value = rest.textAfterColon { learn(value) }
        }
      }
    }
  }

  /// Remembers what a form has under names that can only be those of secrets, as it is written and as it is read.
  func learn(form: Bytes) {
    for pair in form.string.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2,
        ["client_secret", "refresh_token", "password", "client_assertion"].contains(parts[0])
      else { continue }
      learn(shown: parts[1])
      learn(shown: SecretMask.plain(parts[1]))
    }
  }

  /// The credentials of a request's header; for basic authentication also the password, of cookies each value.
  func learn(_ header: HTTPHeader) {
    guard SecretNames.isSecret(header: header.name) else { return }
    if header.name.isSame(ignoringCaseAs: "cookie") {
      for cookie in SecretMask.cookies(header.value) { learn(shown: cookie.value) }
    }
    let words = header.value.split(separator: " ").map(String.init)
    for word in words.suffix(words.count > 1 ? words.count - 1 : 1) { learn(shown: word) }
    guard words.count == 2, words[0].lowercased() == "basic", let login = Bytes.decoding(base64: words[1])
    else { return }
    if let password = login.string.split(separator: ":", maxSplits: 1).last {
      learn(shown: String(password))
    }
  }

  /// Remembers the cookie that an answer's header sets: a replay gives the script none.
  func learn(set header: HTTPHeader) {
    guard header.name.isSame(ignoringCaseAs: "set-cookie") else { return }
    if let cookie = SecretMask.cookies(header.value).first { learn(cookie.value) }
  }

  /// The names and values of cookies, values without quotes.
  private static func cookies(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: ";").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      let isAround = { (character: Character) in character == " " || character == "\t" || character == "\"" }
      let value = String(parts[1].drop(while: isAround).reversed().drop(while: isAround).reversed())
      return (parts[0].filter { !isAround($0) }, value)
    }
  }

  /// The secret parts of a header given by the user: its value, and credentials without their scheme.
  public static func secrets(ofHeader name: String, _ value: String) -> [String] {
    guard SecretNames.isSecret(header: name) else { return [] }
    if name.isSame(ignoringCaseAs: "cookie") { return value.isEmpty ? [] : [value] }
    let words = value.split(separator: " ").map(String.init)
    return words.count > 1 ? Array(words.dropFirst()) : words
  }
}

/// Something of a request that its recording leaves out.
struct LeftOut {
  /// Where it stands, as the name of a parameter.
  let place: String
  let value: String
  /// Whether a person may have chosen it, so that it can be guessed.
  let isGuessable: Bool

  /// Bytes from which on a text is taken for one that a program has drawn.
  private static let drawnLength = 20

  init(_ place: String, _ value: String, isChosen: Bool = false) {
    (self.place, self.value) = (place, value)
    isGuessable = isChosen || place.contains("passw") || value.utf8.count < Self.drawnLength
  }
}

extension SecretMask {
  /// What is left out of the recorded form of a call, which was made just before, and is not hidden from the script of a replay: it
  /// asks with the same again.
  func leftOut(of call: HostCall) -> [LeftOut] {
    guard case .http(let request) = call, let hidden else { return [] }
    var parts = SecretMask.secretParameters(of: request.url).map { LeftOut($0.name.lowercased(), $0.value) }
    if let login = (try? HTTPAddress(request.url))?.userInfo {
      parts.append(LeftOut("login", login, isChosen: true))
    }
    for header in request.headers where SecretNames.isSecret(header: header.name) {
      let name = header.name.lowercased()
      if name == "cookie" {
        parts += SecretMask.cookies(header.value).map { LeftOut("cookie \($0.name)", $0.value) }
      } else {
        let isLogin = header.value.lowercased().hasPrefix("basic ")
        parts.append(LeftOut("header \(name)", header.value, isChosen: isLogin))
      }
    }
    parts.removeAll { $0.value.isEmpty || hidden.masked($0.value).contains(SecretMask.beginning) }
    if let body = request.body {
      let shown = hidden.masked(body)
      if masked(body) != shown { parts.append(LeftOut("body", shown.string, isChosen: true)) }
    }
    return parts
  }
}
