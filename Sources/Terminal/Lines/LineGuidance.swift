/// What the line editor needs to know about the typed language.
public struct LineGuidance {
  /// Whether Enter ends the input, and how its lines are indented.
  public var judge: (_ text: String) -> LineVerdict = { _ in LineVerdict(isComplete: true) }
  /// Completions of the word before the cursor, an offset in bytes.
  public var complete: (_ text: String, _ offset: Int) -> LineCompletions = { LineCompletions(start: $1) }
  /// The styled parts of a text.
  public var highlight: (_ text: String) -> [LineSpan] = { _ in [] }

  public init() {}
}

/// The meaning of Enter after a text.
public struct LineVerdict: Sendable, Equatable {
  public var isComplete: Bool
  /// Indentation of the last line; nil keeps it.
  public var indentation: Int?
  /// Indentation of the next line.
  public var nextIndentation: Int

  public init(isComplete: Bool, indentation: Int? = nil, nextIndentation: Int = 0) {
    self.isComplete = isComplete
    self.indentation = indentation
    self.nextIndentation = nextIndentation
  }
}

/// Completions of a word.
public struct LineCompletions: Sendable, Equatable {
  /// The byte offset at which the word starts.
  public var start: Int
  /// Possible replacements, in order.
  public var candidates: [String]
  /// Their common prefix.
  public var common: String
  /// Whether there are more than `candidates`.
  public var isCut: Bool
  /// Appended to a single candidate, such as a space.
  public var ending: String

  public init(
    start: Int, candidates: [String] = [], common: String = "", isCut: Bool = false, ending: String = ""
  ) {
    self.start = start
    self.candidates = candidates
    self.common = common
    self.isCut = isCut
    self.ending = ending
  }
}

/// A completed input.
public enum LineInput: Sendable, Equatable {
  /// A text followed by Enter, possibly many lines.
  case text(String)
  /// A request to leave.
  case leave
  /// A request to edit this text in an external editor; it returns through `begin`.
  case openEditor(String)
}
