internal import CTerminal

/// Keys, and what they do.
extension LineEditor {
  /// Takes one stroke; what it returns ends the editing. `isLast` when nothing else has been sent with it: a person
  /// does not type that fast.
  func take(_ stroke: KeySplitter.Stroke, isLast: Bool) -> LineInput? {
    below = []
    switch stroke {
    case .paste(let text):
      acceptSearch()
      return paste(text)
    case .key(let scalars):
      if search != nil, let isTaken = pressWhileSearching(scalars), isTaken { return nil }
      return pressKey(scalars, isLast: isLast)
    }
  }

  private func pressKey(_ scalars: [Unicode.Scalar], isLast: Bool) -> LineInput? {
    let was = edited
    let wish = press(scalars)
    remember(was, isLetter: scalars.count == 1 && scalars[0].properties.isAlphabetic)
    switch wish {
    case .CEDIT_PREVIOUS, .CEDIT_NEXT, .CEDIT_OLDEST, .CEDIT_NEWEST: break
    default: history.leave()
    }
    switch wish {
    case .CEDIT_EDITED, .CEDIT_MORE: break
    case .CEDIT_ENTER: return enter(isTyped: isLast)
    case .CEDIT_FORCE: return .text(edited.text)
    case .CEDIT_COMPLETE: complete()
    case .CEDIT_PREVIOUS: goUp()
    case .CEDIT_NEXT: goDown()
    case .CEDIT_OLDEST: history.oldest(edited).map(show)
    case .CEDIT_NEWEST: history.newest().map(show)
    case .CEDIT_SEARCH: search = HistorySearch()
    case .CEDIT_LEAVE: return leaveOrJoin()
    case .CEDIT_CLEAR_SCREEN: clearTerminal()
    case .CEDIT_UNDO: undo()
    case .CEDIT_OPEN_EDITOR: return .openEditor(edited.text)
    case .CEDIT_LEFT_OUT: change { $0.moveOutLeft() }
    case .CEDIT_RIGHT_OUT: change { $0.moveOutRight() }
    case .CEDIT_JOIN_BEFORE: change { $0.joinBefore() }
    case .CEDIT_JOIN_AFTER: change { $0.joinAfter() }
    }
    return nil
  }

  /// Changes the text, where that is possible.
  private func change(_ step: (inout EditedText) -> Bool) {
    var text = edited
    guard step(&text) else { return }
    remember(edited, isLetter: false, changed: text.text != edited.text)
    show(text)
  }

  private func leaveOrJoin() -> LineInput? {
    if edited.text.isEmpty { return .leave }
    change { $0.joinAfter() }
    return nil
  }

  private func goUp() {
    if !history.isBrowsing, edited.row > 0 { return change { $0.move(by: -1) } }
    history.previous(edited).map(show)
  }

  private func goDown() {
    if !history.isBrowsing, !edited.isOnLastLine { return change { $0.move(by: 1) } }
    history.next(edited).map(show)
  }

  /// Runs what is complete; elsewhere than on the last line, or where something is missing, begins another line.
  private func enter(isTyped: Bool) -> LineInput? {
    let verdict = guidance.judge(edited.text)
    var text = edited
    if text.isOnLastLine, let indentation = verdict.indentation { outdent(&text, indentation) }
    if text.isOnLastLine, verdict.isComplete {
      show(text)
      return .text(text.text)
    }
    let blanks = text.isOnLastLine ? verdict.nextIndentation : text.lines[text.row].prefix { $0 == " " }.count
    text.insert("\n" + (isTyped ? String(repeating: " ", count: blanks) : ""))
    remember(edited, isLetter: false, changed: true)
    show(text)
    return nil
  }

  /// Takes blanks away at the beginning of the cursor's line, where it has more than that.
  private func outdent(_ text: inout EditedText, _ blanks: Int) {
    let line = text.lines[text.row]
    let before = line.prefix { $0 == " " }.count
    guard before > blanks else { return }
    text.take(line: String(line.dropFirst(before - blanks)), column: max(0, text.column - before + blanks))
  }

  /// Puts a paste in as it is, and runs it when it ends with a line and is complete.
  private func paste(_ pasted: String) -> LineInput? {
    var text = edited
    var pasted = pasted
    let endsLine = pasted.hasSuffix("\n")
    while pasted.hasSuffix("\n") { pasted.removeLast() }
    text.insert(pasted)
    remember(edited, isLetter: false, changed: true)
    history.leave()
    show(text)
    guard endsLine, edited == text, text.isOnLastLine, text.after.isEmpty else { return nil }
    if guidance.judge(text.text).isComplete { return .text(text.text) }
    text.insert("\n")
    show(text)
    return nil
  }

  private func complete() {
    let completions = guidance.complete(edited.text, edited.offset)
    guard !completions.candidates.isEmpty else { return }
    var text = edited
    let isOnly = completions.candidates.count == 1 && !completions.isCut
    let word = isOnly ? completions.candidates[0] + completions.ending : completions.common
    text.replace(from: completions.start, with: word)
    if text.text != edited.text {
      remember(edited, isLetter: false, changed: true)
      show(text)
    }
    guard !isOnly else { return }
    let room = max(1, size.rows - 2 - edited.lines.count)
    below = CandidateColumns(completions, columns: size.columns, rows: room).rows
  }
}

/// Undo, and the search.
extension LineEditor {
  /// Keeps what was, to be undone; letters typed one after another are undone together.
  private func remember(_ was: EditedText, isLetter: Bool, changed: Bool? = nil) {
    guard changed ?? (edited.text != was.text) else {
      isTyping = false
      return
    }
    if !(isLetter && isTyping) { before.append(was) }
    if before.count > 500 { before.removeFirst() }
    isTyping = isLetter
  }

  private func undo() {
    guard let text = before.popLast() else { return }
    show(text)
  }

  private func acceptSearch() {
    guard let search else { return }
    self.search = nil
    show(search.shown(edited))
  }

  /// Whether the search took the key; it ends where it did not, with the entry in the place of the text.
  private func pressWhileSearching(_ scalars: [Unicode.Scalar]) -> Bool? {
    switch scalars {
    case ["\u{12}"]: search?.goOn(in: history)
    case ["\u{7F}"], ["\u{8}"]: search?.shorten(in: history)
    case ["\u{7}"], ["\u{1B}"]: search = nil
    case let letters where letters.count == 1 && letters[0].value >= 0x20:
      search?.add(String(letters[0]), in: history)
    default:
      acceptSearch()
      return false
    }
    return true
  }
}
