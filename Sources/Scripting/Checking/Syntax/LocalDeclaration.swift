import Lua

/// A `local` statement outside of every block, as it is written.
struct LocalDeclaration {
  let names: [String]
  let attributes: [String]
  /// The word `local`, and what stands up to the next token.
  let keyword: Range<Int>
  let keywordWithBlanks: Range<Int>
  /// The tokens of each attribute, as `<`, `const` and `>`.
  let attributeTokens: [[Range<Int>]]
  /// Where its names end, unless it has values.
  let endWithoutValue: Int?

  /// Nil where the statement declares nothing.
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
