import Scripting

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
    // A broken text is told at once where it is short; a long one is not read again for every line of a block.
    if blocks.isOpen && pending.count > 50 { return nil }
    let text = pending.joined(separator: "\n")
    return completeness(text) == .incomplete ? nil : take(text)
  }

  /// What is pending at the end, complete or not.
  mutating func finish() -> PromptUnit? {
    pending.isEmpty ? nil : take(pending.joined(separator: "\n"))
  }

  static func isCommand(_ line: some StringProtocol) -> Bool {
    let text = line.drop(while: \.isWhitespace)
    return text.first == ":" && !text.hasPrefix("::")
  }

  private mutating func take(_ text: String) -> PromptUnit {
    defer {
      pending = []
      blocks = BlockDepth()
    }
    return PromptUnit(text: text, line: firstLine, isCommand: false)
  }
}
