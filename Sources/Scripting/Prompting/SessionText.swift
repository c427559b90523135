import Lua

/// A Lua text whose variables outlive it: `local` is removed from its top-level declarations.
///
/// Nothing else changes, and every token keeps its line and, except after a `local x` without a value, its column.
/// To-be-closed variables stay local, and so does `_ENV`.
struct SessionText {
  let text: String
  /// The declared names, in order.
  let names: [String]

  /// In a `script` a first line with `#` is a comment, and names declared twice stay local: its functions may refer to
  /// either.
  init(_ text: String, isScript: Bool) {
    let found = Self.declarations(in: text, isScript: isScript)
    var counts: [String: Int] = [:]
    for name in found.flatMap(\.names) { counts[name, default: 0] += 1 }
    let all = found.filter { declaration in
      !isScript || declaration.names.allSatisfy { counts[$0] == 1 }
    }
    names = all.flatMap(\.names)
    var bytes = Array(text.utf8)
    for declaration in all.reversed() {
      if let end = declaration.endWithoutValue { bytes.insert(contentsOf: " = nil".utf8, at: end) }
      for blank in declaration.attributeTokens.joined() + [declaration.keyword] {
        bytes.replaceSubrange(blank, with: repeatElement(UInt8(ascii: " "), count: blank.count))
      }
    }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// The top-level declarations, in order, except those that must stay; none for invalid Lua.
  private static func declarations(in text: String, isScript: Bool) -> [LocalDeclaration] {
    let tokens = LuaTokens(text, isScript: isScript).code
    var parser = ScriptParser(tokens)
    let statements = (try? parser.script()) ?? []
    return statements.compactMap { LocalDeclaration($0, in: tokens) }.filter { declaration in
      !declaration.names.contains("_ENV") && declaration.attributes.allSatisfy { $0 == "const" }
    }
  }
}
