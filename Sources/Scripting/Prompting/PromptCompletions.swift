/// Completions of the word at the cursor.
///
/// ```swift
/// workflow.completions(of: "lookahead.ht", at: 12).common  // "http"
/// ```
public struct PromptCompletions: Sendable, Equatable {
  /// The start of the word, as an offset in UTF-8 bytes.
  public let start: Int
  /// Its possible replacements, sorted by bytes, without duplicates; at most 500.
  public let candidates: [PromptCandidate]
  /// The common prefix of all candidates, including those beyond the 500; the word itself if there is nothing to add.
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

/// A possible replacement.
public struct PromptCandidate: Sendable, Equatable {
  /// What a candidate names.
  public enum Kind: Sendable, Equatable {
    case keyword
    /// A variable or a global.
    case name
    case field
    /// A function after a colon.
    case method
    /// An index in brackets, with the closing characters.
    case key
    /// A quoted string, such as a file name.
    case text

    /// Of two with the same text, the lower rank wins.
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
  /// Their common prefix.
  func commonStart(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
