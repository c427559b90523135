internal import CTerminal
import Text

/// A prompt in the terminal of this process: lines are edited, completed, searched for and shown, and nothing ever waits.
///
/// libedit edits the line of the cursor, with its keys, its kill ring, its vi mode and the person's `~/.editrc`. Blocks of
/// lines, history, completion and all drawing are ours. One at a time: the terminal belongs to the whole process.
public final class LineEditor {
  public var guidance = LineGuidance()
  public internal(set) var history: LineHistory
  /// Whether a text is being edited; else what is typed is kept until one is.
  public private(set) var isEditing = false
  /// Whether the input may be drawn with styles.
  public let hasColors: Bool

  var edited = EditedText()
  var search: HistorySearch?
  /// What can be undone, the newest last.
  var before: [EditedText] = []
  /// The last key put a letter: the next letter is undone with it.
  var isTyping = false
  /// Rows below the text, until the next key.
  var below: [String] = []
  private var prompt: StyledText = ""
  private var continuation: StyledText = ""
  private var splitter = KeySplitter()
  private var strokes: [KeySplitter.Stroke] = []
  /// The beginning of a key that libedit wants to be longer.
  private var unfinished: [Unicode.Scalar] = []
  private var screen = LineScreen()
  private var status: String?
  private var isHidden = false
  private var isOpen = true

  /// Takes the terminal over.
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

  /// What a signal handler calls to give the terminal back at once.
  public static let restore: @convention(c) () -> Void = { cterminal_restore() }

  /// Its size now.
  public var size: TerminalSize {
    var (columns, rows) = (Int32(0), Int32(0))
    cedit_size(&columns, &rows)
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }

  /// Whether an Escape waits for what may belong to it; `flush` ends that.
  public var waitsForMore: Bool { isEditing && splitter.isWaiting }

  /// Shows the prompt with a text to be edited; the continuation stands before every line but the first.
  public func begin(prompt: StyledText, continuation: StyledText, text: String = "") {
    (self.prompt, self.continuation) = (prompt, continuation)
    status = nil
    isEditing = true
    before = []
    below = []
    history.leave()
    show(EditedText())
    show(EditedText(text))
    draw()
  }

  /// What the person did since the last time, if that ends the editing; what comes after it is kept.
  public func read() -> LineInput? {
    if cedit_take_redraw() { draw() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = cedit_read(&bytes, bytes.count)
      if count == 0 { return strokes.isEmpty ? end(.leave) : work() }
      guard count > 0 else { break }
      strokes += splitter.take(bytes[..<count])
    }
    return work()
  }

  /// Takes what was typed before there was a prompt.
  public func work() -> LineInput? {
    guard isEditing, !strokes.isEmpty else { return nil }
    var done = 0
    defer { strokes.removeFirst(min(done, strokes.count)) }
    while done < strokes.count {
      let stroke = strokes[done]
      done += 1
      if let input = take(stroke, isLast: done == strokes.count) { return end(input) }
    }
    draw()
    return nil
  }

  /// An Escape that nothing followed is a key of its own.
  public func flush() -> LineInput? {
    strokes += splitter.flush()
    return work()
  }

  /// Throws the text away, and shows that.
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

  /// Writes whole lines above what is edited.
  public func write(_ text: StyledText) {
    let text = text.drawn()
    let lines = text.hasSuffix("\n") ? text : text + "\n"
    send(
      screen.clear(size)
        + lines.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    draw()
  }

  /// One line that is drawn over itself while nothing is edited; nil takes it away.
  public func show(status text: String?) {
    guard !isEditing, status != text else { return }
    status = text
    draw()
  }

  /// Takes what is drawn away, so that others can write; `refresh` brings it back.
  public func clear() {
    isHidden = true
    send(screen.clear(size))
  }

  /// Draws what was taken away.
  public func refresh() {
    if isHidden { draw() }
  }

  /// Draws what is edited, as it is now.
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

  /// Gives the terminal to another program while the block runs.
  public func lend(_ block: () -> Void) {
    clear()
    cedit_pause()
    block()
    cedit_resume()
    screen.forget()
  }

  /// Gives the terminal back.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    status = nil
    isEditing = false
    send(screen.clear(size))
    cedit_close()
  }
}

extension LineEditor {
  /// Adds to the history what was typed; false when that was nothing new.
  public func remember(_ entry: String) -> Bool { history.add(entry) }

  /// Has the editor's line be the cursor's. A text with a line that is too long stays out, and that is said.
  func show(_ text: EditedText) {
    guard text.lines.allSatisfy({ $0.utf8.count <= Self.longest || $0.unicodeScalars.count <= Self.longest })
    else {
      below = ["that would be a line of more than \(Self.longest) characters"]
      return
    }
    let scalars = text.lines[text.row].unicodeScalars.map { Int32(bitPattern: $0.value) }
    if cedit_replace(scalars, scalars.count, text.column) { edited = text }
  }

  /// Characters of a line at most; libedit lays each line out as a whole.
  static let longest = Int(CEDIT_LONGEST)

  /// Clears the terminal, but for the text.
  func clearTerminal() {
    screen.forget()
    send("\u{1B}[H\u{1B}[2J")
  }

  /// Lets libedit do what the key does.
  func press(_ scalars: [Unicode.Scalar]) -> cedit_wish {
    unfinished += scalars
    let key = unfinished.map { Int32(bitPattern: $0.value) }
    let wish = cedit_press(key, key.count)
    if wish == .CEDIT_MORE && unfinished.count < 32 { return wish }
    unfinished = []
    var (count, cursor) = (0, 0)
    let line = UnsafeBufferPointer(start: cedit_line(&count, &cursor), count: count)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: line.map { Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}" })
    edited.take(line: String(text), column: cursor)
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

  /// Ends the editing: the text stays on the terminal as it was typed.
  private func end(_ input: LineInput) -> LineInput {
    search = nil
    below = []
    isTyping = false
    send(screen.leave(drawing, size))
    isEditing = false
    return input
  }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    if !bytes.isEmpty { cedit_write(bytes, bytes.count) }
  }
}
