/// Splits terminal input into keys and pasted text.
///
/// A key may be many bytes (a UTF-8 character, an arrow), arriving in pieces.
public struct KeySplitter: Sendable {
  /// One key, or one paste.
  public enum Stroke: Sendable, Equatable {
    /// The scalars sent for the key.
    case key([Unicode.Scalar])
    /// The text between paste marks; line ends are ` `.
    case paste(String)
  }

  private var bytes: [UInt8] = []
  private var pasted: [UInt8]?

  private static let pasteBegins = Array("\u{1B}[200~".utf8)
  private static let pasteEnds = Array("\u{1B}[201~".utf8)
  private static let escape: UInt8 = 0x1B

  /// No input yet.
  public init() {}

  /// Whether an Escape waits for a possible sequence.
  public var isWaiting: Bool { !bytes.isEmpty && pasted == nil }

  /// Everything complete so far.
  public mutating func feed(_ more: some Sequence<UInt8>) -> [Stroke] {
    bytes += more
    var strokes: [Stroke] = []
    while let stroke = next() { strokes.append(stroke) }
    return strokes
  }

  /// Ends the wait: a lone Escape becomes a key.
  public mutating func flush() -> [Stroke] {
    guard isWaiting else { return [] }
    defer { bytes = [] }
    return [.key(Array(String(decoding: bytes, as: UTF8.self).unicodeScalars))]
  }

  private mutating func next() -> Stroke? {
    while true {
      if pasted != nil { return nextPaste() }
      guard let length = keyLength(bytes[...]), length > 0 else { return nil }
      let key = Array(bytes[..<length])
      bytes.removeFirst(length)
      guard key == Self.pasteBegins else {
        return .key(Array(String(decoding: key, as: UTF8.self).unicodeScalars))
      }
      pasted = []
    }
  }

  /// The paste, once complete.
  private mutating func nextPaste() -> Stroke? {
    guard var text = pasted else { return nil }
    let seen = max(0, text.count - Self.pasteEnds.count)
    text += bytes
    bytes = []
    guard let end = Self.firstRange(of: Self.pasteEnds, in: text, from: seen) else {
      pasted = text
      return nil
    }
    bytes = Array(text[(end + Self.pasteEnds.count)...])
    pasted = nil
    return .paste(Self.lines(text[..<end]))
  }

  private static func firstRange(of mark: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    var place = start
    while let next = text[place...].firstIndex(of: mark[0]) {
      if text[next...].starts(with: mark) { return next }
      place = next + 1
    }
    return nil
  }

  private static func lines(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\r" || (scalar == "\n" && !isAfterReturn) { text.append("\n") }
      isAfterReturn = scalar == "\r"
      if scalar != "\r" && scalar != "\n" && scalar != "\0" { text.append(scalar) }
    }
    return String(text)
  }

  /// Bytes of the first key; nil if incomplete.
  private func keyLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    guard first == Self.escape else {
      let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      let isBroken = bytes.dropFirst().prefix(length - 1).contains { $0 & 0xC0 != 0x80 }
      return isBroken ? 1 : bytes.count >= length ? length : nil
    }
    guard let second = bytes.dropFirst().first else { return nil }
    switch second {
    case UInt8(ascii: "["): return sequenceLength(bytes)
    case UInt8(ascii: "O"): return bytes.count >= 3 ? 3 : nil
    case Self.escape: return 1
    default: return keyLength(bytes.dropFirst()).map { $0 + 1 }
    }
  }

  /// Length of a control sequence: parameters up to a final byte.
  private func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20..<0x40 ~= $0) }) else { return nil }
    return end - bytes.startIndex + 1
  }
}
