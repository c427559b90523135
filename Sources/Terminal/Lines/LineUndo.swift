/// Undo steps of an edited text; characters typed in sequence are undone together.
struct LineUndo {
  private static let most = 500
  /// Newest last.
  private var texts: [EditedText] = []
  /// Whether the last change typed a character.
  private var isTyping = false

  /// Records a change; `text` is the text before it. If unchanged, the next character starts a new step.
  mutating func note(_ text: EditedText, isChanged: Bool = true, isLetter: Bool = false) {
    guard isChanged else { return pause() }
    if !(isLetter && isTyping) { texts.append(text) }
    if texts.count > Self.most { texts.removeFirst() }
    isTyping = isLetter
  }

  /// The next character starts a new undo step.
  mutating func pause() { isTyping = false }

  /// Removes and returns the text before the last change; nil if there is none.
  mutating func removeLast() -> EditedText? { texts.popLast() }
}
