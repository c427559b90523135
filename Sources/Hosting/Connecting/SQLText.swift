/// The statements of an SQL text, as PostgreSQL and DuckDB read it: semicolons in strings, names and comments end none.
public struct SQLText {
  /// The statements, without the semicolons between them; those of nothing but comments are left out.
  public private(set) var statements: [String] = []
  /// The first word in upper case, behind comments and brackets.
  public private(set) var firstWord = ""

  /// The word that says what the first statement does: the first one, or the one behind the tables of a WITH.
  private var verb = ""

  /// Reads a text; one that is not complete has its last statement to the end.
  public init(_ text: String) {
    var scanner = Scanner(rest: text.utf8[...])
    var start = text.startIndex
    var isEmpty = true
    var (depth, isName) = (0, false)
    func end(at place: String.Index) {
      if !isEmpty { statements.append(String(text[start..<place])) }
      isEmpty = true
    }
    while let place = scanner.next() {
      switch place.token {
      case .space: break
      case .semicolon:
        end(at: place.start)
        start = scanner.rest.startIndex
      case .word, .other:
        isEmpty = false
        guard firstWord.isEmpty || firstWord == "WITH" && verb.isEmpty else { break }
        let word = text[place.start..<scanner.rest.startIndex].uppercased()
        if !firstWord.isEmpty {
          depth += word == "(" ? 1 : word == ")" ? -1 : 0
          if depth == 0, !isName, SQLText.verbs.contains(word) { verb = word }
        } else if word != "(" {
          firstWord = place.token == .word ? word : String(word.prefix(1))
        }
        // What a table of a WITH is called is no verb.
        isName = ["WITH", "RECURSIVE", ","].contains(word)
      }
    }
    end(at: text.endIndex)
  }

  /// Whether it may stand in brackets for the rows that it gives.
  var isQuery: Bool { ["SELECT", "WITH", "VALUES", "TABLE"].contains(firstWord) }

  /// Whether the first statement gives rows, and changes none itself.
  public var isReading: Bool {
    let verb = verb.isEmpty ? firstWord : verb
    return ["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN", "FETCH"].contains(verb)
  }

  private static let verbs: Set = ["SELECT", "VALUES", "TABLE", "INSERT", "UPDATE", "DELETE", "MERGE"]

  private enum Token { case space, word, semicolon, other }

  private struct Scanner {
    var rest: Substring.UTF8View

    /// The next token, and where it begins; `rest` is behind it then.
    mutating func next() -> (token: Token, start: String.Index)? {
      guard let first = rest.first else { return nil }
      let start = rest.startIndex
      switch first {
      case UInt8(ascii: ";"):
        rest.removeFirst()
        return (.semicolon, start)
      case UInt8(ascii: " "), 9...13:
        rest = rest.drop { $0 == UInt8(ascii: " ") || 9...13 ~= $0 }
        return (.space, start)
      case UInt8(ascii: "-") where begins(with: "--"):
        rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return (.space, start)
      case UInt8(ascii: "/") where begins(with: "/*"):
        skipComment()
        return (.space, start)
      case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted(by: first, hasEscapes: false)
      case UInt8(ascii: "E") where begins(with: "E'"), UInt8(ascii: "e") where begins(with: "e'"):
        rest.removeFirst()
        skipQuoted(by: UInt8(ascii: "'"), hasEscapes: true)
      case UInt8(ascii: "$"): skipDollars()
      case let byte where Scanner.isOfWord(byte):
        rest = rest.drop { Scanner.isOfWord($0) || $0 == UInt8(ascii: "$") }
        return (.word, start)
      default: rest.removeFirst()
      }
      return (.other, start)
    }

    private func begins(with text: String) -> Bool { rest.starts(with: text.utf8) }

    private static func isOfWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }

    /// Comments nest.
    private mutating func skipComment() {
      var depth = 0
      repeat {
        if begins(with: "/*") {
          depth += 1
          rest = rest.dropFirst(2)
        } else if begins(with: "*/") {
          depth -= 1
          rest = rest.dropFirst(2)
        } else {
          rest = rest.dropFirst()
        }
      } while depth > 0 && !rest.isEmpty
    }

    /// A quote in it is written twice.
    private mutating func skipQuoted(by quote: UInt8, hasEscapes: Bool) {
      rest.removeFirst()
      while let byte = rest.popFirst() {
        if hasEscapes, byte == UInt8(ascii: "\\") {
          _ = rest.popFirst()
        } else if byte == quote {
          guard rest.first == quote else { return }
          rest.removeFirst()
        }
      }
    }

    /// A text between two tags, `$$` or `$name$`; a parameter, `$1`, is none.
    private mutating func skipDollars() {
      let name = rest.dropFirst().prefix { Scanner.isOfWord($0) }
      let behind = rest[name.endIndex...]
      let isNumber = name.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
      guard behind.first == UInt8(ascii: "$"), !isNumber else {
        rest = behind
        return
      }
      let tag = Array(rest[..<behind.index(after: behind.startIndex)])
      rest = rest.dropFirst(tag.count)
      while !rest.isEmpty {
        if rest.starts(with: tag) {
          rest = rest.dropFirst(tag.count)
          return
        }
        rest.removeFirst()
      }
    }
  }
}
