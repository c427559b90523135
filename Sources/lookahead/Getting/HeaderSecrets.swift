import Hosting
import Items

/// Headers from the command line, with secrets replaced by parameters of the script.
struct HeaderSecrets {
  private(set) var headers: [GetProgram.Header] = []
  /// The secrets by the names of their parameters.
  private(set) var secrets: [(name: String, value: String)] = []

  /// `known` are secrets given by the user, which headers may name in braces.
  init(_ texts: [String], known: [String]) {
    var taken = Set(known)
    for text in texts {
      let parts = text.split(separator: ":", maxSplits: 1)
      let (name, value) = (parts[0].trimmed, parts.count > 1 ? parts[1].trimmed : "")
      let words = SecretMask.secrets(ofHeader: name, value)
      let isNamed = known.contains { value.contains("{\($0)}") }
      guard let first = words.first, !isNamed, let place = value.firstRange(of: first) else {
        headers.append(GetProgram.Header(name: name, value: value))
        continue
      }
      let parameter = Self.parameter(name, value, besides: taken)
      taken.insert(parameter)
      secrets.append((parameter, String(value[place.lowerBound...])))
      headers.append(GetProgram.Header(name: name, value: value[..<place.lowerBound] + "{\(parameter)}"))
    }
  }

  /// Turns user and password of a URL into a header; returns the URL without them.
  mutating func extractLogin(from url: String) -> String {
    guard let scheme = url.firstRange(of: "://"),
      !headers.contains(where: { $0.name.lowercased() == "authorization" })
    else { return url }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let mark = authority.lastIndex(of: "@"), let login = Self.decoded(authority[..<mark]) else {
      return url
    }
    let parameter = "login"
    guard !secrets.contains(where: { $0.name == parameter }) else { return url }
    secrets.append((parameter, login.contains(":") ? login : login + ":"))
    headers.append(GetProgram.Header(name: "Authorization", value: "Basic {\(parameter):base64}"))
    return String(url[..<scheme.upperBound]) + url[url.index(after: mark)...]
  }

  /// A text without its escapes; nil where they are wrong.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(hexadecimal: rest.prefix(2)) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// As arguments of `--secret`.
  var arguments: [String] {
    secrets.flatMap { name, value in
      let plain =
        value.hasPrefix("@") ? "@" + value : value.hasPrefix("env:") ? "env::" + value.dropFirst(4) : value
      return ["--secret", "\(name)=\(plain)"]
    }
  }

  /// The parameter's name: token for bearer credentials, else the header's.
  private static func parameter(_ header: String, _ value: String, besides taken: Set<String>) -> String {
    var name = ""
    if header.lowercased() == "authorization" {
      name = value.lowercased().hasPrefix("basic ") ? "credentials" : "token"
    } else {
      let words = header.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.filter {
        $0 != "x"
      }
      name = words.enumerated().map {
        $0.offset == 0 ? String($0.element) : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
      }
      .joined()
      if name.isEmpty || name.first?.isNumber == true { name = "secret" + name }
    }
    var number = 2
    let stem = name
    while taken.contains(name) {
      name = "\(stem)\(number)"
      number += 1
    }
    return name
  }
}
