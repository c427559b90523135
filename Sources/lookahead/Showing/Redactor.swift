/// Keeps secrets out of what is shown, in each form that they take on the way: as they are, in a URL, in JSON.
final class Redactor {
  private var forms: [String] = []

  init(_ secrets: [String] = []) {
    for secret in secrets { add(secret) }
  }

  /// Hides one more secret from here on.
  func add(_ secret: String) {
    let quoted = JSONLine.quoted(secret).dropFirst().dropLast()
    for form in [secret, Self.percentEncoded(secret), String(quoted)]
    where !form.isEmpty && !forms.contains(form) {
      forms.append(form)
    }
    forms.sort { $0.utf8.count > $1.utf8.count }
  }

  func redacted(_ text: String) -> String {
    var text = text
    for form in forms where text.contains(form) {
      text = text.split(separator: form, omittingEmptySubsequences: false).joined(separator: "[secret]")
    }
    return text
  }

  /// As it stands in a query.
  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }.joined()
  }
}
