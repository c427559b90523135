import Terminal
import Text

extension PromptSession {
  /// What stands before the next line: `3> `, and what is explored before it.
  var prompt: PromptText {
    if splitter.isPending { return PromptText(first: dots(2), continuation: dots(2)) }
    let place = promptText().flatMap { $0.isEmpty ? nil : $0.printable + " " } ?? ""
    let number = "\(journal.nextNumber)"
    let look = isColored ? Style(isBold: true, color: .cyan) : .plain
    let first = StyledText(place + number + ">", look) + " "
    return PromptText(first: first, continuation: dots(place.cellWidth + number.count + 1))
  }

  private func dots(_ count: Int) -> StyledText {
    StyledText(String(repeating: ".", count: count), isColored ? .dim : .plain) + " "
  }
}
