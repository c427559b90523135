import Lua

/// The user's text as Lua is to load it: as an expression if possible, else as statements.
struct PromptChunk {
  /// `return` and the text, then the text itself, unless a leading `=` marks it as an expression.
  let forms: [String]
  /// Whether it ends in `;`, which hides the value of an expression.
  let isHidden: Bool

  init(_ text: String) {
    // With a to-be-closed variable `return f()` is not a tail call, which would drop the line from error messages.
    let mark = "local __lookahead <close> = nil "
    let code = LuaTokens(text, isScript: false).code
    isHidden = code.last?.text == ";"
    if let first = code.first, first.text == "=" {
      var bytes = Array(text.utf8)
      bytes[first.range.lowerBound] = UInt8(ascii: " ")
      forms = [mark + "return " + String(decoding: bytes, as: UTF8.self)]
    } else {
      forms = [mark + "return " + text, mark + SessionText(text, isScript: false).text]
    }
  }
}

extension String {
  /// The text, shifted so that its first line has this number.
  func beginning(atLine line: Int) -> String {
    guard line > 1 else { return self }
    let above = String(unsafeUninitializedCapacity: line - 1) { bytes in
      bytes.update(repeating: UInt8(ascii: "\n"))
      return line - 1
    }
    return above + self
  }
}
