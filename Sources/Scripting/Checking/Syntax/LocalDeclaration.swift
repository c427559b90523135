import Lua

/// A `local` statement outside of any block, as written.
struct LocalDeclaration {
  let names: [String]
  let attributes: [String]
  /// The keyword `local` and everything up to the next token.
  let keyword: Range<Int>
  let keywordWithBlanks: Range<Int>
  /// The tokens of each attribute: `<`, `const` and `>`.
  let attributeTokens: [[Range<Int>]]
  /// The end of its names, if it has no values.
  let endWithoutValue: Int?

  /// Nil if the statement declares nothing.
  init?(_ placed: ScriptParser.Placed, in tokens: [LuaToken]) {
    let start = placed.tokens.lowerBound
    let declared: [LocalName]
    var end: Int?
    switch placed.statement {
    case .localFunction(let name, _): declared = [name]
    case .local(let names, let values):
      declared = names
      if values.isEmpty, let last = names.last {
        end = tokens[last.token + (last.attribute == nil ? 0 : 3)].range.upperBound
      }
    case .assignment, .call, .return, .block, .loop: return nil
    }
    names = declared.map(\.name)
    attributes = declared.compactMap(\.attribute)
    attributeTokens = declared.filter { $0.attribute != nil }.map { name in
      (1...3).map { tokens[name.token + $0].range }
    }
    keyword = tokens[start].range
    keywordWithBlanks = keyword.lowerBound..<tokens[start + 1].range.lowerBound
    endWithoutValue = end
  }
}
