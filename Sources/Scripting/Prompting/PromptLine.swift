import Paging

/// A text to evaluate, now or later.
final class PromptLine {
  let id: Int
  let kind: Kind
  let text: String
  let name: String
  /// The number of its first line.
  let firstLine: Int
  /// Its first value is kept under this number.
  let number: Int?
  let ended: (Evaluation) -> Void
  var begun: Begun?

  enum Kind {
    case typed
    /// The whole script.
    case script
  }

  /// State captured when it began.
  struct Begun {
    let at: Instant
    let memory: Int
    var isExpression = false
    var isHidden = false
  }

  init(
    id: Int, _ kind: Kind, _ text: String, name: String, firstLine: Int = 1, number: Int? = nil,
    ended: @escaping (Evaluation) -> Void
  ) {
    self.id = id
    self.kind = kind
    self.text = text
    self.name = name
    self.firstLine = firstLine
    self.number = number
    self.ended = ended
  }
}
