import Lua

/// The names that a Lua chunk declares and assigns, and what it returns.
///
///     let outline = ChunkOutline("local x = 1 y = x return y")
///     outline.locals      // ["x"]
///     outline.assigned    // ["y"]
///     outline.returned    // "y"
public struct ChunkOutline {
  /// Variables declared outside of any block, in order.
  public private(set) var locals: [String] = []
  /// Variables assigned or defined but not declared there, in order, without duplicates.
  public let assigned: [String]
  /// The values of its last `return` outside of any block; nil if there is none.
  public private(set) var returned: String?
  /// Whether a `return` is inside a block that is not a function.
  public let returnsEarly: Bool
  /// The text up to its last `return`.
  public let withoutReturn: String
  /// The same, with top-level declarations turned into assignments.
  public let withoutLocals: String

  /// Invalid Lua has an empty outline.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    let tokens = LuaTokens(text).code
    var parser = ScriptParser(tokens)
    let statements = (try? parser.script()) ?? []
    var end = bytes.count
    var changes: [(range: Range<Int>, text: String)] = []
    for placed in statements {
      if case .return = placed.statement {
        let word = tokens[placed.tokens.lowerBound].range
        end = word.lowerBound
        returned = Self.trimmed(bytes[word.upperBound...])
      }
      guard let declaration = LocalDeclaration(placed, in: tokens) else { continue }
      for name in declaration.names where !locals.contains(name) { locals.append(name) }
      changes.append((declaration.keywordWithBlanks, ""))
      // Attributes are allowed only in declarations.
      for attribute in declaration.attributeTokens {
        changes.append((attribute[0].lowerBound..<attribute[2].upperBound, ""))
      }
      if let end = declaration.endWithoutValue { changes.append((end..<end, " = nil")) }
    }
    let plain = statements.map(\.statement)
    assigned = Self.assigned(in: plain)
    returnsEarly = plain.contains(where: Self.returnsInBlock)
    withoutReturn = Self.trimmed(bytes[..<end])
    withoutLocals = Self.changed(bytes[..<end], by: changes)
  }

  private static func assigned(in statements: [Statement]) -> [String] {
    let targets = ScriptWalk(statements).assignments.map(\.target)
      .filter { $0.fields.isEmpty && $0.root.local == nil }
      .sorted { $0.root.token < $1.root.token }
    var names: [String] = []
    for target in targets where !names.contains(target.root.name) { names.append(target.root.name) }
    return names
  }

  /// Whether a block of the statement, other than a function, returns.
  private static func returnsInBlock(_ statement: Statement) -> Bool {
    let bodies: [[Statement]]
    switch statement {
    case .block(_, let found): bodies = found
    case .loop(_, _, _, let body): bodies = [body]
    case .local, .localFunction, .assignment, .call, .return: return false
    }
    return bodies.joined().contains { statement in
      if case .return = statement { return true }
      return returnsInBlock(statement)
    }
  }

  private static func changed(
    _ bytes: ArraySlice<UInt8>, by changes: [(range: Range<Int>, text: String)]
  ) -> String {
    var result: [UInt8] = []
    var start = bytes.startIndex
    for change in changes {
      result += bytes[start..<change.range.lowerBound] + Array(change.text.utf8)
      start = change.range.upperBound
    }
    return trimmed(result[...] + bytes[start...])
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
