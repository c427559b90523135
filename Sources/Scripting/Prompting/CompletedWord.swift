import Lua

/// The word being typed, and what may replace it.
struct CompletedWord {
  /// Its start, in UTF-8 bytes.
  let start: Int
  let word: String
  let kind: Kind
  /// Other names in the text, such as parameters.
  let names: [String]

  enum Kind: Equatable {
    /// A number, a comment, or something unknown.
    case none
    case name
    case field(LuaPath)
    case method(LuaPath)
    /// An index in brackets, in these quotes if they are open.
    case key(LuaPath, quote: Character?)
    /// A quoted string.
    case text
  }

  /// `typed` ends at the cursor.
  init(_ typed: String) {
    let tokens = LuaTokens(typed, isScript: false).tokens
    let end = typed.utf8.count
    let last = tokens.last
    let isTouched = last?.range.upperBound == end
    switch last?.kind {
    case .name? where isTouched, .keyword? where isTouched:
      let isIndex = tokens.dropLast().last?.text == "["
      self.init(last!.range.lowerBound, last!.text, tokens.dropLast(), isIndex ? .name : nil)
    case .number? where isTouched:
      let isIndex = tokens.dropLast().last?.text == "["
      self.init(last!.range.lowerBound, last!.text, tokens.dropLast(), isIndex ? nil : Kind.none)
    case .unfinished? where last!.text.first == "\"" || last!.text.first == "'":
      let quote = last!.text.first!
      let path = tokens.dropLast().last?.text == "[" ? LuaPath(endOf: tokens.dropLast(2)) : nil
      self.init(
        last!.range.lowerBound + 1, String(last!.text.dropFirst()), tokens.dropLast(),
        path.map { .key($0, quote: quote) } ?? .text)
    case .unfinished?: self.init(end, "", tokens[...], Kind.none)
    case .comment? where isTouched && !typed.hasSuffix("\n"): self.init(end, "", tokens[...], Kind.none)
    default: self.init(end, "", tokens[...], nil)
    }
  }

  /// A word after these tokens, which determine its kind unless `kind` is given.
  private init(_ start: Int, _ word: String, _ tokens: ArraySlice<LuaToken>, _ kind: Kind?) {
    self.start = start
    self.word = word
    let code = tokens.filter { $0.kind != .comment }[...]
    self.kind = kind ?? Self.kind(behind: code)
    names = zip([nil] + code.map(Optional.some), code).compactMap { before, token in
      token.kind == .name && before?.isDot != true ? token.text : nil
    }
  }

  private static func kind(behind tokens: ArraySlice<LuaToken>) -> Kind {
    guard let last = tokens.last, last.kind == .symbol else { return .name }
    let path = { LuaPath(endOf: tokens.dropLast()) }
    switch last.text {
    case ".": return path().map { .field($0) } ?? .none
    case ":": return path().map { .method($0) } ?? .none
    case "[": return path().map { .key($0, quote: nil) } ?? .name
    default: return .name
    }
  }
}
