public import Items

/// Puts `[secret]` in the place of secrets, byte by byte, in each form that they take: as they are, in a URL, in JSON.
///
/// A secret of fewer than four bytes is part of every other word, and hiding it there would spoil what is kept: it is hidden
/// where it is a whole text or a parameter's value.
public final class SecretMask {
  /// What stands for a secret; a replay gives it to the script in its place.
  public static let placeholder = "[secret]"

  /// Longest first, so that a secret that begins another one does not hide half of it.
  private var forms: [[UInt8]] = []

  /// What the paths of calls are kept relative to, so that a recording may be taken elsewhere; with its last slash.
  private let folder: String?

  /// A mask of these secrets; it learns more on its way. Paths below the folder are kept without it.
  public init(_ secrets: [String] = [], folder: String? = nil) {
    self.folder = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    addForms(of: SecretMask.placeholder)
    for secret in secrets { add(secret) }
  }

  /// Hides one more secret from here on.
  public func add(_ secret: String) {
    guard !secret.isEmpty, secret != SecretMask.placeholder else { return }
    addForms(of: secret)
  }

  /// The text without the secrets.
  public func masked(_ text: String) -> String {
    let bytes = Bytes(text)
    return isClean(bytes) ? text : masked(bytes).string
  }

  /// The path without the secrets, and without the folder that it counts from.
  func masked(path: String) -> String {
    guard let folder, path.hasPrefix(folder) else { return masked(path) }
    return masked(String(path.dropFirst(folder.count)))
  }

  /// The bytes without the secrets.
  public func masked(_ bytes: Bytes) -> Bytes {
    if isClean(bytes) { return bytes }
    var buffer = ByteBuffer(capacity: bytes.count)
    bytes.withUnsafeBytes { raw in
      var place = 0
      while place < raw.count {
        if let form = forms.first(where: { SecretMask.stands($0, in: raw, at: place) }) {
          buffer.append(SecretMask.placeholder)
          place += form.count
        } else {
          buffer.append(raw[place])
          place += 1
        }
      }
    }
    return buffer.bytes()
  }

  private func isClean(_ bytes: Bytes) -> Bool {
    bytes.withUnsafeBytes { raw in
      forms.allSatisfy { raw.firstPlace(after: $0) == nil }
    }
  }

  /// Bytes from which on a secret is hidden wherever it is found.
  private static let leastLength = 4

  private static func stands(_ form: [UInt8], in text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard text[place...].starts(with: form) else { return false }
    if form.count >= leastLength { return true }
    let end = place + form.count
    let isValue = place > 0 && text[place - 1] == UInt8(ascii: "=")
    let isEnded = end == text.count || "&#\" )".utf8.contains(text[end])
    return isEnded && isValue || place == 0 && end == text.count
  }

  private func addForms(of secret: String) {
    var quoted = JSONWriter()
    quoted.text(secret)
    let inJSON = quoted.bytes().withUnsafeBytes { Array($0.dropFirst().dropLast()) }
    let inURL = secret.utf8.flatMap { SecretMask.isUnreserved($0) ? [$0] : Array($0.percentEncoded.utf8) }
    let inForm = inURL.split(separator: Array("%20".utf8)).joined(separator: "+".utf8)
    let escaped = [false, true].map { SecretMask.escaped(inJSON, isUppercase: $0) }
    for form in [Array(secret.utf8), inJSON, inURL, Array(inForm)] + escaped
    where !form.isEmpty && form != Array(SecretMask.placeholder.utf8) && !forms.contains(form) {
      forms.append(form)
    }
    forms.sort { $0.count > $1.count }
  }

  /// A JSON text as servers write it that keep to ASCII: everything else as `\u00e9`, pairs of surrogates too.
  private static func escaped(_ json: [UInt8], isUppercase: Bool) -> [UInt8] {
    String(decoding: json, as: UTF8.self).utf16.flatMap { unit in
      if unit < 0x80 { return [UInt8(unit)] }
      let digits = String(unit, radix: 16, uppercase: isUppercase)
      return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
  }

  /// Whether the byte stands for itself in a URL (RFC 3986).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
