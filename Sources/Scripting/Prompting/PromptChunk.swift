import Lua

/// A person's text as Lua is to load it: as an expression where it is one, else as statements.
struct PromptChunk {
  /// `return` and the text, then the text itself, unless it says with a leading `=` that it is an expression.
  let forms: [String]
  /// Whether it ends in `;`, behind which an expression shows nothing.
  let isHidden: Bool

  init(_ text: String) {
    // With a variable to be closed a `return f()` is no tail call, which would leave the line out of error messages.
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
  /// The text, moved down so that its first line has this number.
  func beginning(atLine line: Int) -> String {
    guard line > 1 else { return self }
    let above = String(unsafeUninitializedCapacity: line - 1) { bytes in
      bytes.update(repeating: UInt8(ascii: "\n"))
      return line - 1
    }
    return above + self
  }
}
