/// A generated text, with a line that shows whether it was edited since.
public enum SealedText {
  private static let mark = "-- Made by lookahead types: "
  private static let end = ". Changed by hand, it is never written over."

  /// The text with that line before it.
  static func sealed(_ text: String) -> String { mark + digest(of: text) + end + "\n" + text }

  /// Whether a text is unchanged since it was generated, by this version or another.
  public static func isIntact(_ text: String) -> Bool {
    guard text.hasPrefix(mark), let line = text.firstIndex(of: "\n") else { return false }
    return text[..<line] == mark + digest(of: String(text[text.index(after: line)...])) + end
  }

  /// 64-bit FNV-1a: guards against accidents only.
  private static func digest(of text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
