import Items
import Paging

/// How the parts of a database's address are written: with escapes of percent signs, and names of secrets in braces.
///
///     var text = AddressText(secrets: ["pw": "a/b"])
///     try text.decoded("{pw}")  // "a/b"
///     try text.decoded("a%2Fb")  // "a/b"
struct AddressText {
  /// Nil where it is not known yet what they are: then names stay as they are.
  let secrets: [String: String]?
  /// The names of secrets that were met.
  private(set) var names: [String] = []
  /// The values of secrets that were met.
  private(set) var values: [String] = []

  init(secrets: [String: String]?) { self.secrets = secrets }

  /// What an address is refused for, without what was wrong in it: that could be a password.
  struct Mistake: Error { let expected: String }

  /// The text that a part stands for.
  mutating func decoded(_ part: Substring) throws(Mistake) -> String {
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "{"), let name = AddressText.name(rest) {
        rest = rest.dropFirst(name.utf8.count + 2)
        try bytes.append(contentsOf: secret(name).utf8)
        continue
      }
      rest = rest.dropFirst()
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let code = UInt8(hexadecimal: rest.prefix(2)), code != 0 else {
        throw Mistake(expected: "two digits after each %, and not %00 (a % itself is %25)")
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Mistake(expected: "UTF-8 behind its escapes")
    }
    return text
  }

  private mutating func secret(_ name: String) throws(Mistake) -> String {
    names.append(name)
    guard let secrets else { return "{\(name)}" }
    guard let value = secrets[name] else {
      throw Mistake(
        expected:
          "the secret \(name), which {\(name)} stands for: give --secret \(name)=env:VARIABLE or \(name)=@FILE (a brace itself is %7B)"
      )
    }
    guard !value.utf8.contains(0) else { throw Mistake(expected: "a secret \(name) without U+0000") }
    values.append(value)
    return value
  }

  /// The name in braces at the front.
  private static func name(_ text: Substring.UTF8View) -> String? {
    let name = text.dropFirst().prefix { isLetter($0) || 0x30...0x39 ~= $0 }
    guard let first = name.first, isLetter(first), text.dropFirst(name.count + 1).first == UInt8(ascii: "}")
    else { return nil }
    return String(Substring(name))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "_")
  }

  /// The text with escapes, as a part of an address that is shown; these characters stay as well.
  static func encoded(_ text: String, keeping others: String = "") -> String {
    var encoded = ""
    for byte in text.utf8 {
      if isLetter(byte) || 0x30...0x39 ~= byte || "-._~".utf8.contains(byte) || others.utf8.contains(byte) {
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        encoded += byte < 16 ? "%0" + String(byte, radix: 16, uppercase: true) : byte.percentEncoded
      }
    }
    return encoded
  }
}

extension String {
  /// Without texts that are never shown; those of one or two bytes would be found in other words.
  func hiding(_ secrets: [String]) -> String {
    secrets.filter { $0.utf8.count > 2 }.sorted { $0.utf8.count > $1.utf8.count }.reduce(self) {
      $0.replacing($1, with: "…")
    }
  }
}
