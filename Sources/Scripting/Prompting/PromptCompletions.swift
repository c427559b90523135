/// How a word at the cursor may go on.
public struct PromptCompletions: Sendable, Equatable {
  /// Where the word begins, as an offset in the text's UTF-8 bytes.
  public let start: Int
  /// What may stand there in its place, in the order of its bytes, each once; at most 500.
  public let candidates: [PromptCandidate]
  /// What all candidates begin with, also those beyond the 500; the word itself when there is nothing to add.
  public let common: String
  /// Whether there are more than the 500.
  public let isCut: Bool

  static let limit = 500

  init(start: Int, word: String, _ found: [PromptCandidate], isCut: Bool = false, last: String? = nil) {
    var candidates: [PromptCandidate] = []
    for candidate in found.sorted(by: { ($0.text, $0.kind.rank) < ($1.text, $1.kind.rank) })
    where candidates.last?.text != candidate.text {
      candidates.append(candidate)
    }
    self.start = start
    self.isCut = isCut || candidates.count > Self.limit
    let end = [candidates.last?.text, last].compactMap { $0 }.max()
    common = candidates.first.flatMap { first in end.map { first.text.commonStart(with: $0) } } ?? word
    self.candidates = Array(candidates.prefix(Self.limit))
  }
}

/// One word that may stand at the cursor.
public struct PromptCandidate: Sendable, Equatable {
  /// What a candidate names.
  public enum Kind: Sendable, Equatable {
    case keyword
    /// A variable or a global.
    case name
    case field
    /// A function behind a colon.
    case method
    /// An index in brackets, with what closes them.
    case key
    /// A text in quotes, as a file.
    case text

    /// Of two with the same text the lower is given.
    var rank: Int { self == .keyword ? 0 : 1 }
  }

  public let text: String
  public let kind: Kind

  public init(_ text: String, _ kind: Kind) {
    self.text = text
    self.kind = kind
  }
}

extension String {
  /// What both begin with.
  func commonStart(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
