import Lua
import Scripting
import Terminal

/// A text to evaluate, or a command, and its first line number.
struct PromptUnit: Equatable {
  let text: String
  let line: Int
  /// It begins with a colon.
  let isCommand: Bool
}

/// Joins lines until they are complete.
struct InputSplitter {
  private var pending: [String] = []
  private var firstLine = 1
  /// Open blocks in the pending text: while there are any, it can't be complete.
  private var blocks = BlockDepth()

  /// Whether an incomplete text is pending.
  var isPending: Bool { !pending.isEmpty }

  /// Adds a line; returns the completed or broken text, if any.
  mutating func add(_ line: String, number: Int, completeness: (String) -> Completeness) -> PromptUnit? {
    if pending.isEmpty {
      if line.allSatisfy(\.isWhitespace) { return nil }
      if Self.isCommand(line) { return PromptUnit(text: line, line: number, isCommand: true) }
      firstLine = number
    }
    pending.append(line)
    blocks.add(line)
    // A short broken text is reported at once; a long one is not parsed again for every line of a block.
    if blocks.isOpen && pending.count > 50 { return nil }
    let text = pending.joined(separator: "\n")
    return completeness(text) == .incomplete ? nil : complete(text)
  }

  /// The pending text at the end, complete or not.
  mutating func finish() -> PromptUnit? {
    pending.isEmpty ? nil : complete(pending.joined(separator: "\n"))
  }

  static func isCommand(_ line: some StringProtocol) -> Bool {
    let text = line.drop(while: \.isWhitespace)
    return text.first == ":" && !text.hasPrefix("::")
  }

  private mutating func complete(_ text: String) -> PromptUnit {
    defer {
      pending = []
      blocks = BlockDepth()
    }
    return PromptUnit(text: text, line: firstLine, isCommand: false)
  }
}

/// The nesting depth of Lua blocks and brackets, line by line. Several openings on one line count once.
struct BlockDepth {
  /// Lines with unclosed openings.
  private var opened: [Int] = []
  private var lines = 0
  /// A text with an unfinished string or comment: it is read together with what follows.
  private var unfinished = ""

  /// Whether something is open that a later line has to close.
  var isOpen: Bool { !opened.isEmpty || isInside }

  /// Whether a string or comment continues on the next line.
  var isInside: Bool { !unfinished.isEmpty }

  var depth: Int { Set(opened).count }

  /// Adds the next line; returns its own depth, which is less if it starts by closing.
  @discardableResult
  mutating func add(_ line: String) -> Int {
    let text = unfinished.isEmpty ? line : unfinished + "\n" + line
    unfinished = ""
    lines += 1
    let tokens = LuaTokens(text, isScript: false).code
    if let last = tokens.last, last.kind == .unfinished, Self.isLong(last.text) {
      unfinished = text
      return depth
    }
    var own = depth
    var isAtStart = true
    for token in tokens {
      let change = Self.change(token)
      if change.closes { _ = opened.popLast() }
      if isAtStart && change.closes { own = depth }
      isAtStart = isAtStart && change.closes
      if change.opens { opened.append(lines) }
    }
    return own
  }

  private static func isLong(_ text: String) -> Bool {
    let opening = text.hasPrefix("--") ? text.dropFirst(2) : text[...]
    return opening.hasPrefix("[[") || opening.hasPrefix("[=")
  }

  private static func change(_ token: LuaToken) -> (opens: Bool, closes: Bool) {
    guard token.kind == .keyword || token.kind == .symbol else { return (false, false) }
    return switch token.text {
    case "do", "then", "function", "repeat", "(", "{", "[": (true, false)
    case "end", "until", ")", "}", "]": (false, true)
    case "else": (true, true)
    case "elseif": (false, true)
    default: (false, false)
    }
  }
}

extension LineVerdict {
  /// Indentation of the last line of a text and of the one after it.
  init(_ text: String, isComplete: Bool) {
    var blocks = BlockDepth()
    var last: Int?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      last = blocks.isInside ? nil : 2 * blocks.add(String(line))
      if last == nil { blocks.add(String(line)) }
    }
    let isBlank = text.last.map(\.isWhitespace) ?? true
    self.init(
      isComplete: isComplete, indentation: isBlank ? nil : last,
      nextIndentation: blocks.isInside ? 0 : 2 * blocks.depth)
  }
}
