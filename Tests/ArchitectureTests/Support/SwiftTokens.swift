/// The words and marks of a Swift text, without its comments and without what stands in quotes; what a string interpolates is code.
struct SwiftTokens {
  /// A name, a keyword, or a single mark such as `{`.
  struct Token: Equatable {
    let text: String
    let line: Int
    /// Whether it is a name or a keyword; a number and a mark are none.
    let isWord: Bool
  }

  private(set) var tokens: [Token] = []
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    while place < bytes.count { readToken() }
  }

  private mutating func readToken() {
    let byte = bytes[place]
    switch byte {
    case .newline:
      line += 1
      place += 1
    case .blank, .tab: place += 1
    case .slash where next == .slash: skipLine()
    case .slash where next == .star: skipComment()
    case .slash where beginsPattern: skipPattern(hashes: 0)
    case .quote: readString(hashes: 0)
    case .hash: readHashes()
    case .backtick: readQuotedName()
    case _ where byte.isWord: readWord()
    default:
      tokens.append(Token(text: String(UnicodeScalar(byte)), line: line, isWord: false))
      place += 1
    }
  }

  private var next: UInt8 { byte(at: place + 1) }

  private func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : .newline }

  private mutating func readWord() {
    let start = place
    while place < bytes.count, bytes[place].isWord { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    tokens.append(Token(text: text, line: line, isWord: !bytes[start].isDigit))
  }

  private mutating func readQuotedName() {
    let start = place + 1
    place = start
    while byte(at: place) != .backtick, byte(at: place) != .newline { place += 1 }
    tokens.append(
      Token(text: String(decoding: bytes[start..<place], as: UTF8.self), line: line, isWord: true))
    place += 1
  }

  private mutating func skipLine() {
    while place < bytes.count, bytes[place] != .newline { place += 1 }
  }

  /// Comments of this kind nest.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if bytes[place] == .slash, next == .star {
        depth += 1
        place += 2
      } else if bytes[place] == .star, next == .slash {
        depth -= 1
        place += 2
      } else {
        if bytes[place] == .newline { line += 1 }
        place += 1
      }
    } while depth > 0 && place < bytes.count
  }

  /// What follows hashes: a raw string, a pattern, or a directive such as `#if`.
  private mutating func readHashes() {
    var end = place
    while byte(at: end) == .hash { end += 1 }
    let hashes = end - place
    switch byte(at: end) {
    case .quote:
      place = end
      readString(hashes: hashes)
    case .slash:
      place = end
      skipPattern(hashes: hashes)
    default: place = end
    }
  }

  /// A slash between an operand and another one divides; elsewhere it begins a pattern.
  private var beginsPattern: Bool {
    guard next != .blank, next != .newline, let last = tokens.last else { return false }
    return ["(", ",", "=", ":", "[", "return"].contains(last.text)
  }

  private mutating func skipPattern(hashes: Int) {
    place += 1
    while place < bytes.count {
      if bytes[place] == .backslash {
        place += 2
        continue
      }
      if bytes[place] == .newline {
        if hashes == 0 { return }
        line += 1
      }
      if bytes[place] == .slash, closes(hashes, after: place) {
        place += 1 + hashes
        return
      }
      place += 1
    }
  }

  private func closes(_ hashes: Int, after end: Int) -> Bool {
    (0..<hashes).allSatisfy { byte(at: end + 1 + $0) == .hash }
  }

  private func isTriple(at index: Int) -> Bool {
    byte(at: index) == .quote && byte(at: index + 1) == .quote && byte(at: index + 2) == .quote
  }

  private mutating func readString(hashes: Int) {
    let isLong = isTriple(at: place)
    let width = isLong ? 3 : 1
    place += width
    while place < bytes.count {
      let byte = bytes[place]
      if byte == .backslash, closes(hashes, after: place) {
        place += 1 + hashes
        if self.byte(at: place) == .opening {
          readInterpolation()
        } else {
          if self.byte(at: place) == .newline { line += 1 }
          place += 1
        }
      } else if byte == .quote, !isLong || isTriple(at: place), closes(hashes, after: place + width - 1) {
        place += width + hashes
        return
      } else {
        if byte == .newline { line += 1 }
        place += 1
      }
    }
  }

  /// From the parenthesis that opens to the one that closes.
  private mutating func readInterpolation() {
    var depth = 0
    repeat {
      if bytes[place] == .opening { depth += 1 }
      if bytes[place] == .closing { depth -= 1 }
      readToken()
    } while depth > 0 && place < bytes.count
  }
}

extension UInt8 {
  static let newline = UInt8(ascii: "\n")
  static let blank = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let slash = UInt8(ascii: "/")
  static let star = UInt8(ascii: "*")
  static let quote = UInt8(ascii: "\"")
  static let hash = UInt8(ascii: "#")
  static let backtick = UInt8(ascii: "`")
  static let backslash = UInt8(ascii: "\\")
  static let opening = UInt8(ascii: "(")
  static let closing = UInt8(ascii: ")")

  var isDigit: Bool { self >= 48 && self <= 57 }

  var isWord: Bool {
    self >= 97 && self <= 122 || self >= 65 && self <= 90 || isDigit || self == 95 || self >= 128
  }
}
