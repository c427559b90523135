/// What can be undone of an edited text; letters typed one after another are undone together.
struct LineUndo {
  private static let most = 500
  /// The newest last.
  private var texts: [EditedText] = []
  /// The last change put a letter.
  private var isTyping = false

  /// A text has changed; `text` is what it was before. Where it has not, the next letter is undone by itself.
  mutating func note(_ text: EditedText, isChanged: Bool = true, isLetter: Bool = false) {
    guard isChanged else { return pause() }
    if !(isLetter && isTyping) { texts.append(text) }
    if texts.count > Self.most { texts.removeFirst() }
    isTyping = isLetter
  }

  /// The next letter is undone by itself.
  mutating func pause() { isTyping = false }

  /// Removes and returns the text before the last change; nil if there is none.
  mutating func removeLast() -> EditedText? { texts.popLast() }
}
