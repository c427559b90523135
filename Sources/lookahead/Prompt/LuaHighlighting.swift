import Lua
import Terminal

/// Syntax colours for Lua being typed.
enum LuaHighlighting {
  static func spans(of text: String) -> [LineSpan] {
    guard !InputSplitter.isCommand(text) else {
      let name = text.utf8.prefix { $0 != UInt8(ascii: " ") }.count
      return [LineSpan(0..<name, Style(color: .cyan))]
    }
    return LuaTokens(text, isScript: false).tokens.compactMap { token in
      style(of: token).map { LineSpan(token.range, $0) }
    }
  }

  private static func style(of token: LuaToken) -> Style? {
    switch token.kind {
    case .keyword:
      ["nil", "true", "false"].contains(token.text) ? Style(color: .magenta) : Style(color: .blue)
    case .string: Style(color: .green)
    case .number: Style(color: .magenta)
    case .comment: .dim
    case .unfinished: token.text.hasPrefix("--") ? .dim : Style(color: .green)
    case .name, .symbol: nil
    }
  }
}
