import Lua

/// A text of Lua whose variables outlive it: `local` is taken away from the declarations that stand outside of every block.
///
/// Nothing else changes, and every token stays on its line and, but behind a `local x` without a value, in its column.
/// Variables to be closed stay local, and so does `_ENV`.
struct SessionText {
  let text: String
  /// What was declared, in order.
  let names: [String]

  /// In a `script` a first line with `#` is a comment, and names that are declared twice stay local: its functions may
  /// mean the one or the other.
  init(_ text: String, isScript: Bool) {
    let tokens = LuaTokens(text, isScript: isScript).code
    let found = LocalDeclaration.outermost(in: tokens)
    var counts: [String: Int] = [:]
    for name in found.flatMap(\.names) { counts[name, default: 0] += 1 }
    let all = found.filter { declaration in
      !isScript || declaration.names.allSatisfy { counts[$0] == 1 }
    }
    names = all.flatMap(\.names)
    var bytes = Array(text.utf8)
    for declaration in all.reversed() {
      if let end = declaration.endWithoutValue { bytes.insert(contentsOf: " = nil".utf8, at: end) }
      for blank in declaration.blanks.reversed() {
        bytes.replaceSubrange(blank, with: repeatElement(UInt8(ascii: " "), count: blank.count))
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }
}

/// A `local` statement.
private struct LocalDeclaration {
  var names: [String] = []
  /// What is to become blank: `local`, and attributes.
  var blanks: [Range<Int>] = []
  /// Where its names end, unless it has values.
  var endWithoutValue: Int?

  /// The declarations outside of every block, in order, save those that have to stay as they are.
  static func outermost(in tokens: [LuaToken]) -> [LocalDeclaration] {
    var depth = 0
    var found: [LocalDeclaration] = []
    for (position, token) in tokens.enumerated() where token.kind == .keyword {
      switch token.text {
      case "do", "if", "function", "repeat": depth += 1
      case "end", "until": depth -= 1
      case "local" where depth == 0:
        if let declaration = LocalDeclaration(tokens[position...]) { found.append(declaration) }
      default: break
      }
    }
    return found
  }

  /// The one that begins with the first of these tokens; nil where it is to stay.
  private init?(_ tokens: ArraySlice<LuaToken>) {
    guard let first = tokens.first else { return nil }
    blanks = [first.range]
    var rest = tokens.dropFirst()
    if rest.first?.text == "function" {
      guard let name = rest.dropFirst().first, name.kind == .name else { return nil }
      names = [name.text]
      return
    }
    while let name = rest.popFirst() {
      guard name.kind == .name, name.text != "_ENV" else { return nil }
      names.append(name.text)
      endWithoutValue = name.range.upperBound
      if rest.first?.text == "<" {
        guard let attribute = rest.dropFirst().first, attribute.text == "const",
          let end = rest.dropFirst(2).first, end.text == ">"
        else { return nil }
        blanks += rest.prefix(3).map(\.range)
        endWithoutValue = end.range.upperBound
        rest = rest.dropFirst(3)
      }
      guard rest.first?.text == "," else { break }
      rest = rest.dropFirst()
    }
    if rest.first?.text == "=" { endWithoutValue = nil }
    if names.isEmpty { return nil }
  }
}
