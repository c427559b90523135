internal import CTerminal
import Text

/// A prompt in the terminal of this process: editing, completion, search and drawing, without ever blocking.
///
/// libedit edits the cursor's line, with its keys, kill ring, vi mode and the user's `~/.editrc`. Blocks of lines,
/// history, completion and all drawing are ours. One instance at a time: the terminal belongs to the process.
public final class LineEditor {
  public var guidance = LineGuidance()
  public private(set) var history: LineHistory
  /// Whether a text is being edited; otherwise input is buffered.
  public private(set) var isEditing = false
  /// Whether the input may be drawn with styles.
  public let hasColors: Bool

  private var edited = EditedText()
  private var search: HistorySearch?
  private var undoable = LineUndo()
  /// Rows below the text, until the next key.
  private var below: [String] = []
  private var prompt: StyledText = ""
  private var continuation: StyledText = ""
  private var splitter = KeySplitter()
  private var strokes: [KeySplitter.Stroke] = []
  /// The start of a key sequence that libedit has not completed.
  private var unfinished: [Unicode.Scalar] = []
  private var screen = LineScreen()
  private var status: String?
  private var isHidden = false
  private var isOpen = true

  /// Takes over the terminal.
  public init(history: LineHistory, hasColors: Bool) throws(TerminalError) {
    if let reason = cedit_open(Int32(TerminalSize.most)) {
      throw TerminalError(reason: String(cString: reason))
    }
    self.history = history
    self.hasColors = hasColors
  }

  deinit { close() }

  /// Readable when there is input.
  public var descriptor: Int32 { cedit_descriptor() }

  /// Restores the terminal; async-signal-safe.
  public static let restore: @convention(c) () -> Void = { cterminal_restore() }

  /// Its current size.
  public var size: TerminalSize {
    var (columns, rows) = (Int32(0), Int32(0))
    cedit_size(&columns, &rows)
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }

  /// Whether an Escape waits for a possible sequence; `flush` ends that.
  public var waitsForMore: Bool { isEditing && splitter.isWaiting }

  /// Shows the prompt with a text to edit; the continuation precedes every line except the first.
  public func begin(prompt: StyledText, continuation: StyledText, text: String = "") {
    (self.prompt, self.continuation) = (prompt, continuation)
    status = nil
    isEditing = true
    undoable = LineUndo()
    below = []
    history.leave()
    show(EditedText())
    show(EditedText(text))
    draw()
  }

  /// Handles the input since the last call; returns what ended the editing, and buffers the rest.
  public func read() -> LineInput? {
    if cedit_take_redraw() { draw() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = cedit_read(&bytes, bytes.count)
      if count == 0 { return strokes.isEmpty ? finish(.leave) : work() }
      guard count > 0 else { break }
      strokes += splitter.feed(bytes[..<count])
    }
    return work()
  }

  /// Handles input buffered before there was a prompt.
  public func work() -> LineInput? {
    guard isEditing, !strokes.isEmpty else { return nil }
    var done = 0
    defer { strokes.removeFirst(min(done, strokes.count)) }
    while done < strokes.count {
      let stroke = strokes[done]
      done += 1
      if let input = handle(stroke, isLast: done == strokes.count) { return finish(input) }
    }
    draw()
    return nil
  }

  /// Ends the wait: a lone Escape becomes a key.
  public func flush() -> LineInput? {
    strokes += splitter.flush()
    return work()
  }

  /// Discards the text, visibly.
  public func interrupt() {
    guard isEditing else { return }
    search = nil
    below = []
    edited.row = edited.lines.count - 1
    edited.column = edited.lines[edited.row].unicodeScalars.count
    edited.insert("^C")
    send(screen.leave(drawing, size))
    edited = EditedText()
    isEditing = false
    unfinished = []
    splitter = KeySplitter()
    strokes = []
  }

  /// Writes whole lines above the edited text.
  public func write(_ text: StyledText) {
    let text = text.drawn()
    let lines = text.hasSuffix("\n") ? text : text + "\n"
    send(
      screen.clear(size)
        + lines.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    draw()
  }

  /// A status line, redrawn in place while nothing is edited; nil removes it.
  public func show(status text: String?) {
    guard !isEditing, status != text else { return }
    status = text
    draw()
  }

  /// Erases the drawing, so that others can write; `refresh` restores it.
  public func clear() {
    isHidden = true
    send(screen.clear(size))
  }

  /// Redraws what was erased.
  public func refresh() {
    if isHidden { draw() }
  }

  /// Draws the edited text.
  public func draw() {
    isHidden = false
    if isEditing {
      send(screen.draw(drawing, size))
    } else if let status {
      send(
        screen.draw(
          LineDrawing(
            EditedText(), LineLook(prompt: StyledText(status.printable.clipped(to: size.columns - 1))),
            columns: size.columns), size
        ))
    } else {
      send(screen.clear(size))
    }
  }

  /// Hands the terminal to another program while the block runs.
  public func lend(_ block: () -> Void) {
    clear()
    cedit_pause()
    block()
    cedit_resume()
    screen.forget()
  }

  /// Restores the terminal.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    status = nil
    isEditing = false
    send(screen.clear(size))
    cedit_close()
  }

  /// Adds an entry to the history; false if it is not new.
  public func remember(_ entry: String) -> Bool { history.add(entry) }

  /// Loads the cursor's line into libedit. A text with an overlong line is refused, with a message.
  private func show(_ text: EditedText) {
    guard text.lines.allSatisfy({ $0.utf8.count <= Self.longest || $0.unicodeScalars.count <= Self.longest })
    else {
      below = ["that would be a line of more than \(Self.longest) characters"]
      return
    }
    let scalars = text.lines[text.row].unicodeScalars.map { Int32(bitPattern: $0.value) }
    if cedit_replace(scalars, scalars.count, text.column) { edited = text }
  }

  /// Maximum characters of a line; libedit lays out each line as a whole.
  private static let longest = Int(CEDIT_LONGEST)

  /// Clears the terminal except for the text.
  private func clearTerminal() {
    screen.forget()
    send("\u{1B}[H\u{1B}[2J")
  }

  /// Passes the key to libedit.
  private func press(_ scalars: [Unicode.Scalar]) -> cedit_wish {
    unfinished += scalars
    let key = unfinished.map { Int32(bitPattern: $0.value) }
    let wish = cedit_press(key, key.count)
    if wish == .CEDIT_MORE && unfinished.count < 32 { return wish }
    unfinished = []
    var (count, cursor) = (0, 0)
    let line = UnsafeBufferPointer(start: cedit_line(&count, &cursor), count: count)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: line.map { Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}" })
    edited.replaceLine(String(text), column: cursor)
    return wish
  }

  private var drawing: LineDrawing {
    var shown = edited
    var look = LineLook(prompt: prompt, continuation: continuation)
    if let search { shown = search.shown(edited) }
    if hasColors { look.spans = guidance.highlight(shown.text) }
    var drawing = LineDrawing(shown, look, columns: size.columns)
    drawing.append(search.map { [$0.label] } ?? below)
    return drawing
  }

  /// Ends the editing: the text stays on the terminal.
  private func finish(_ input: LineInput) -> LineInput {
    search = nil
    below = []
    undoable.pause()
    send(screen.leave(drawing, size))
    isEditing = false
    return input
  }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    if !bytes.isEmpty { cedit_write(bytes, bytes.count) }
  }

  /// Handles one stroke; a result ends the editing. `isLast` if nothing else arrived with it: a person does not type
  /// that fast.
  private func handle(_ stroke: KeySplitter.Stroke, isLast: Bool) -> LineInput? {
    below = []
    switch stroke {
    case .paste(let text):
      acceptSearch()
      return paste(text)
    case .key(let scalars):
      if search != nil, pressWhileSearching(scalars) { return nil }
      return pressKey(scalars, isLast: isLast)
    }
  }

  private func pressKey(_ scalars: [Unicode.Scalar], isLast: Bool) -> LineInput? {
    let was = edited
    let wish = press(scalars)
    let isLetter = scalars.count == 1 && scalars[0].properties.isAlphabetic
    undoable.note(was, isChanged: edited.text != was.text, isLetter: isLetter)
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
    case .CEDIT_UNDO: undoable.removeLast().map(show)
    case .CEDIT_OPEN_EDITOR: return .openEditor(edited.text)
    case .CEDIT_LEFT_OUT: change { $0.moveOutLeft() }
    case .CEDIT_RIGHT_OUT: change { $0.moveOutRight() }
    case .CEDIT_JOIN_BEFORE: change { $0.joinBefore() }
    case .CEDIT_JOIN_AFTER: change { $0.joinAfter() }
    }
    return nil
  }

  /// Changes the text, if possible.
  private func change(_ step: (inout EditedText) -> Bool) {
    var text = edited
    guard step(&text) else { return }
    undoable.note(edited, isChanged: text.text != edited.text)
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

  /// Runs a complete text; if the cursor is not on the last line, or the text is incomplete, starts another line.
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
    undoable.note(edited)
    show(text)
    return nil
  }

  /// Removes indentation of the cursor's line beyond that many spaces.
  private func outdent(_ text: inout EditedText, _ blanks: Int) {
    let line = text.lines[text.row]
    let before = line.prefix { $0 == " " }.count
    guard before > blanks else { return }
    text.replaceLine(String(line.dropFirst(before - blanks)), column: max(0, text.column - before + blanks))
  }

  /// Inserts a paste verbatim, and runs it if it ends with a line end and is complete.
  private func paste(_ pasted: String) -> LineInput? {
    var text = edited
    var pasted = pasted
    let endsLine = pasted.hasSuffix("\n")
    while pasted.hasSuffix("\n") { pasted.removeLast() }
    text.insert(pasted)
    undoable.note(edited)
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
      undoable.note(edited)
      show(text)
    }
    guard !isOnly else { return }
    let room = max(1, size.rows - 2 - edited.lines.count)
    below = CandidateColumns(completions, columns: size.columns, rows: room).rows
  }

  private func acceptSearch() {
    guard let search else { return }
    self.search = nil
    show(search.shown(edited))
  }

  /// Whether the search used the key; otherwise it ends, with the entry as the text.
  private func pressWhileSearching(_ scalars: [Unicode.Scalar]) -> Bool {
    switch scalars {
    case ["\u{12}"]: search?.findNext(in: history)
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
