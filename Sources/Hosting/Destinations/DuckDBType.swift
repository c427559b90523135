/// The type of a column of DuckDB by its name in SQL, with the types of its parts.
indirect enum DuckDBType {
  case list(of: DuckDBType)
  /// The names of its members are those of SQL, in quotes where they need them.
  case structure([(name: String, type: DuckDBType)])
  case map(key: DuckDBType, value: DuckDBType)
  /// One without parts, or whose parts are not known.
  case plain(String)

  /// A name as DuckDB itself writes it.
  init(_ name: String) {
    if name.hasSuffix("]"), let bracket = name.lastIndex(of: "[") {
      self = .list(of: DuckDBType(String(name[..<bracket])))
      return
    }
    if let members = DuckDBType.parts(of: name, behind: "STRUCT") {
      let named = members.compactMap(DuckDBType.member)
      if named.count == members.count {
        self = .structure(named)
        return
      }
    }
    if let types = DuckDBType.parts(of: name, behind: "MAP"), types.count == 2 {
      self = .map(key: DuckDBType(types[0]), value: DuckDBType(types[1]))
      return
    }
    self = .plain(name)
  }

  /// Whether it has parts.
  var isNested: Bool { if case .plain = self { false } else { true } }

  /// What stands in the brackets behind a word, divided by commas that are in no brackets or quotes of their own; nil if the name
  /// is none of that kind.
  private static func parts(of name: String, behind word: String) -> [String]? {
    guard name.hasPrefix(word + "("), name.hasSuffix(")") else { return nil }
    var (parts, part) = ([String](), "")
    var depth = 0
    var quote: Character?
    for character in name.dropFirst(word.count + 1).dropLast() {
      if let open = quote {
        // One that is doubled closes, and opens again.
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
      } else if character == ",", depth == 0 {
        parts.append(part)
        part = ""
        continue
      } else if character == " ", part.isEmpty {
        continue
      }
      part.append(character)
    }
    return parts + [part]
  }

  /// The name and the type of a member; nil if it has no name.
  private static func member(_ text: String) -> (name: String, type: DuckDBType)? {
    guard let match = text.wholeMatch(of: /("(?:[^"]|"")*"|[^ "]+) ([^ ].*)/) else { return nil }
    return (String(match.1), DuckDBType(String(match.2)))
  }
}
