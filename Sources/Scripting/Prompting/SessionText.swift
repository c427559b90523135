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

  /// The declarations outside of every block, in order, save those that have to stay as they are; none of a text that is no Lua.
  private static func declarations(in text: String, isScript: Bool) -> [LocalDeclaration] {
    let tokens = LuaTokens(text, isScript: isScript).code
    var parser = ScriptParser(tokens)
    let statements = (try? parser.script()) ?? []
    return statements.compactMap { LocalDeclaration($0, in: tokens) }.filter { declaration in
      !declaration.names.contains("_ENV") && declaration.attributes.allSatisfy { $0 == "const" }
    }
  }
}
