/// What the line editor needs to know about the language that is typed.
public struct LineGuidance {
  /// Whether Enter ends the input, and how its lines are indented.
  public var judge: (_ text: String) -> LineVerdict = { _ in LineVerdict(isComplete: true) }
  /// How the word before the cursor, an offset in bytes, may go on.
  public var complete: (_ text: String, _ offset: Int) -> LineCompletions = { LineCompletions(start: $1) }
  /// The parts of a text that look different.
  public var highlight: (_ text: String) -> [LineSpan] = { _ in [] }

  public init() {}
}

/// What Enter means behind a text.
public struct LineVerdict: Sendable, Equatable {
  public var isComplete: Bool
  /// Blanks that the last line should begin with; nil leaves it as it is.
  public var indentation: Int?
  /// Blanks that the next line should begin with.
  public var nextIndentation: Int

  public init(isComplete: Bool, indentation: Int? = nil, nextIndentation: Int = 0) {
    self.isComplete = isComplete
    self.indentation = indentation
    self.nextIndentation = nextIndentation
  }
}

/// How a word may go on.
public struct LineCompletions: Sendable, Equatable {
  /// The byte of the text where the word begins.
  public var start: Int
  /// What may stand in its place, in order.
  public var candidates: [String]
  /// What all of them begin with.
  public var common: String
  /// Whether there are more than `candidates`.
  public var isCut: Bool
  /// What is put behind the only candidate, as a blank.
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

/// What a person did.
public enum LineInput: Sendable, Equatable {
  /// Typed this and pressed Enter; it may be many lines.
  case text(String)
  /// Wants to leave.
  case leave
  /// Wants this text in an editor of their own; it comes back by `begin`.
  case openEditor(String)
}
