import Items
import JSON

/// An encoding of a secret, as bytes to search for.
struct SecretForm: Hashable {
  let bytes: [UInt8]
  /// Whether a base64 letter before or after it holds a part of the secret, too.
  var reachesBefore = false
  var reachesBehind = false

  /// Whether it is a secret of only letters and digits, and so short that other words contain it.
  var isShortWord: Bool {
    bytes.count < 8 && !reachesBefore && !reachesBehind && bytes.allSatisfy(SecretForms.isAlphanumeric)
  }
}

/// All encodings of a secret: plain, in JSON and nested JSON, in HTML, in URLs and forms, in hexadecimal, and in base64 of either
/// alphabet at any offset.
enum SecretForms {
  static func all(of secret: String) -> [SecretForm] {
    let bytes = Array(secret.utf8)
    var texts = [bytes]
    for json in jsons(secret) { texts += [json] + jsons(String(decoding: json, as: UTF8.self)) }
    texts += htmls(bytes) + urls(bytes)
    // Shorter ones may be part of anything.
    if bytes.count >= SecretMask.leastLength { texts += hexadecimals(bytes) }
    let base64 = bytes.count >= SecretMask.leastLength ? base64s(bytes) : []
    return texts.map { SecretForm(bytes: $0) } + base64
  }

  /// The encodings of JSON writers: with minimal escapes, with `\/`, or in ASCII.
  private static func jsons(_ text: String) -> [[UInt8]] {
    var writer = JSONWriter()
    writer.text(text)
    let plain = writer.bytes().withUnsafeBytes { Array($0.dropFirst().dropLast()) }
    let slashes = plain.flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
    let escaped = ["", "<>&", "<>&'", "<>&'+`"].flatMap { more in
      [false, true].map { ascii(plain, more, isUppercase: $0) }
    }
    return [plain, slashes] + escaped
  }

  /// All non-ASCII characters as `\u00e9`, including surrogate pairs; and those of ASCII that a writer escapes for HTML.
  private static func ascii(_ json: [UInt8], _ more: String, isUppercase: Bool) -> [UInt8] {
    String(decoding: json, as: UTF8.self).utf16.flatMap { unit in
      if unit < 0x80, !more.utf16.contains(unit) { return [UInt8(unit)] }
      let digits = String(unit, radix: 16, uppercase: isUppercase)
      return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
  }

  /// In HTML, with what has to be escaped by name or by number, and with all that is no letter or digit by number.
  private static func htmls(_ bytes: [UInt8]) -> [[UInt8]] {
    let names = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
    func written(_ more: [String: String]) -> [UInt8] {
      bytes.flatMap { byte -> [UInt8] in
        let character = String(UnicodeScalar(byte))
        return (more[character] ?? names[character]).map { Array($0.utf8) } ?? [byte]
      }
    }
    let numbered = [false, true].map { isHexadecimal in
      bytes.flatMap { byte -> [UInt8] in
        if isAlphanumeric(byte) || byte >= 0x80 { return [byte] }
        return Array("&#\(isHexadecimal ? "x" + String(byte, radix: 16, uppercase: true) : "\(byte)");".utf8)
      }
    }
    return numbered + [
      written([:]), written(["\"": "&quot;", "'": "&#x27;"]), written(["\"": "&#34;", "'": "&#39;"]),
      written(["\"": "&quot;", "'": "&#39;", "+": "&#43;"]),
      written(["\"": "&quot;", "'": "&#39;", "+": "&#43;", "/": "&#x2F;"]),
      written(["\"": "&quot;", "'": "&#39;", "/": "&#x2F;", "=": "&#x3D;", "`": "&#x60;"]),
    ]
  }

  /// What encoders of URLs leave as it is beside the unreserved: none, Python, JavaScript for a part and for a whole, and some that are
  /// told to.
  private static let kept = ["", "/", "!'()*", ";/?:@&=+$,#!'()*", "+=", "+", "=", "/=", "/+", "/+="]

  /// In a URL, with digits in both cases, once and twice; a space as in forms; and with every byte encoded.
  private static func urls(_ bytes: [UInt8]) -> [[UInt8]] {
    func written(_ isKept: (UInt8) -> Bool) -> [UInt8] {
      bytes.flatMap { isKept($0) ? [$0] : Array($0.percentEncoded.utf8) }
    }
    let whole = written { _ in false }
    let parts = kept.map { more in written { isUnreserved($0) || more.utf8.contains($0) } }
    let form =
      bytes.contains(0x20)
      ? [written { isUnreserved($0) || $0 == 0x20 }.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }] : []
    let once = parts + form + [whole]
    let twice = parts.map { $0.flatMap { $0 == UInt8(ascii: "%") ? Array("%25".utf8) : [$0] } }
    return (once + twice).flatMap { [$0, lowered($0)] }
  }

  /// With the digits behind each `%` in lower case.
  private static func lowered(_ url: [UInt8]) -> [UInt8] {
    var (lowered, digits) = (url, 0)
    for place in url.indices {
      if url[place] == UInt8(ascii: "%") { digits = 3 }
      if digits > 0 { digits -= 1 } else { continue }
      if UInt8(ascii: "A")...UInt8(ascii: "F") ~= url[place] { lowered[place] |= 0x20 }
    }
    return lowered
  }

  private static func hexadecimals(_ bytes: [UInt8]) -> [[UInt8]] {
    [false, true].map { isUppercase in
      bytes.flatMap { byte in
        [byte >> 4, byte & 15].flatMap { Array(String($0, radix: 16, uppercase: isUppercase).utf8) }
      }
    }
  }

  /// The letters that encode only the secret, for each of its three possible offsets in a group of bytes.
  private static func base64s(_ bytes: [UInt8]) -> [SecretForm] {
    var forms: [SecretForm] = []
    for place in 0..<3 {
      let padded = [UInt8](repeating: 0, count: place) + bytes
      let letters = padded.withUnsafeBytes { raw -> [UInt8] in
        var writer = JSONWriter()
        writer.base64(raw)
        return writer.bytes().withUnsafeBytes { Array($0.dropFirst().dropLast()) }
      }
      // Six bits a letter: those before encode padding zeros, and the last may encode what follows.
      let whole = Array(letters[((8 * place + 5) / 6)..<(8 * padded.count / 6)])
      let other = whole.map { letter -> UInt8 in
        letter == UInt8(ascii: "+")
          ? UInt8(ascii: "-") : letter == UInt8(ascii: "/") ? UInt8(ascii: "_") : letter
      }
      for letters in [whole, other] {
        forms.append(
          SecretForm(
            bytes: letters, reachesBefore: place > 0, reachesBehind: 8 * padded.count % 6 != 0))
      }
    }
    return forms
  }

  /// Whether the byte is unreserved in a URL (RFC 3986).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  /// Whether the last character of a text belongs to an escape, as `\n`, `\u00e9` or `%3A`, and so to no word.
  static func endsEscape(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    func ends(_ mark: String, _ digits: Int) -> Bool {
      text.dropLast(digits).suffix(mark.utf8.count).elementsEqual(mark.utf8)
        && text.count >= digits + mark.utf8.count && text.suffix(digits).allSatisfy(isHexadecimal)
    }
    let isLetter = text.dropLast().last == UInt8(ascii: "\\") && text.last.map("bfnrt".utf8.contains) ?? false
    return isLetter || ends("%", 2) || ends("\\u", 4)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
  }

  /// Whether the byte is a base64 letter, of either alphabet.
  static func isBase64(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "+/-_".utf8.contains(byte) }

  /// Whether the byte is an ASCII letter or digit.
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
