public import Items

/// Puts `[secret]` in the place of secrets, byte by byte, in each form that they take (`SecretForms`).
///
/// A secret of fewer than four bytes is part of every other word, and hiding it there would spoil what is kept: it is hidden
/// where it is a whole text or a parameter's value, and not looked for in hexadecimal or base64. One of fewer than eight that
/// is a word itself is hidden where it stands as a word.
public final class SecretMask {
  /// What stands for a secret; a replay gives it to the script in its place.
  public static let placeholder = "[secret]"

  /// Longest first, so that a secret that begins another one does not hide half of it.
  private var forms: [SecretForm] = []
  private var known: Set<SecretForm> = []
  /// Whether a form begins with a byte.
  private var begins = [Bool](repeating: false, count: 256)

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
        let form =
          begins[Int(raw[place])] ? forms.first { SecretMask.stands($0, in: raw, at: place) } : nil
        guard let form else {
          buffer.append(raw[place])
          place += 1
          continue
        }
        if form.reachesBefore, place > 0, SecretForms.isBase64(raw[place - 1]) { buffer.removeLast() }
        buffer.append(SecretMask.placeholder)
        place += form.bytes.count
        if form.reachesBehind, place < raw.count, SecretForms.isBase64(raw[place]) { place += 1 }
      }
    }
    return buffer.bytes()
  }

  private func isClean(_ bytes: Bytes) -> Bool {
    bytes.withUnsafeBytes { raw in
      forms.allSatisfy { raw.firstPlace(after: $0.bytes) == nil }
    }
  }

  /// Bytes from which on a secret is hidden wherever it is found.
  static let leastLength = 4

  private static func stands(_ form: SecretForm, in text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard text[place...].starts(with: form.bytes) else { return false }
    let end = place + form.bytes.count
    if form.bytes.count >= leastLength {
      guard form.isShortWord else { return true }
      let isPart = place > 0 && SecretForms.isAlphanumeric(text[place - 1])
      return !isPart && (end == text.count || !SecretForms.isAlphanumeric(text[end]))
    }
    let isValue = place > 0 && text[place - 1] == UInt8(ascii: "=")
    let isEnded = end == text.count || "&#\" )".utf8.contains(text[end])
    return isEnded && isValue || place == 0 && end == text.count
  }

  private func addForms(of secret: String) {
    for form in SecretForms.all(of: secret)
    where !form.bytes.isEmpty && form.bytes != Array(SecretMask.placeholder.utf8)
      && known.insert(form).inserted
    {
      forms.append(form)
      begins[Int(form.bytes[0])] = true
    }
    forms.sort { $0.bytes.count > $1.bytes.count }
  }
}
