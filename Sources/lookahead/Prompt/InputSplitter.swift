import Lua
import Scripting
import Terminal

/// A text to be evaluated, or a command, and the line where it began.
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
  /// Blocks that are open in what is pending: while there are some, nothing can be complete.
  private var blocks = BlockDepth()

  /// Whether something is begun and not complete.
  var isPending: Bool { !pending.isEmpty }

  /// Takes a line; what it makes complete, or what cannot become so.
  mutating func add(_ line: String, number: Int, completeness: (String) -> Completeness) -> PromptUnit? {
    if pending.isEmpty {
      if line.allSatisfy(\.isWhitespace) { return nil }
      if Self.isCommand(line) { return PromptUnit(text: line, line: number, isCommand: true) }
      firstLine = number
    }
    pending.append(line)
    blocks.add(line)
    // A broken text is reported at once where it is short; a long one is not read again for every line of a block.
    if blocks.isOpen && pending.count > 50 { return nil }
    let text = pending.joined(separator: "\n")
    return completeness(text) == .incomplete ? nil : complete(text)
  }

  /// What is pending at the end, complete or not.
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

/// How deep a text of Lua is in blocks and brackets, line by line. What is opened on one line counts once.
struct BlockDepth {
  /// The lines on which something was opened that is not closed.
  private var opened: [Int] = []
  private var lines = 0
  /// A text whose string or comment goes on: it is read together with what follows.
  private var unfinished = ""

  /// Whether something is open that a later line has to close.
  var isOpen: Bool { !opened.isEmpty || isInside }

  /// Whether a string or a comment goes on in the next line.
  var isInside: Bool { !unfinished.isEmpty }

  var depth: Int { Set(opened).count }

  /// Takes the next line; returns its own depth, which is less where it begins with what closes.
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
  /// How many blanks the last line of a text and the one after it should begin with.
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
