internal import CTerminal
import Text

/// Why there is no terminal to draw on.
public struct TerminalError: Error, Sendable, Hashable {
  public let reason: String
}

/// What a terminal says.
public enum TerminalInput: Sendable, Hashable {
  case key(Key)
  /// It has another size, or has to be drawn anew.
  case resized(TerminalSize)
  /// The terminal was closed.
  case gone
}

/// The terminal of this process, taken over as long as this object lives: keys arrive one by one, and signals that end or
/// stop the process restore the terminal first. One at a time.
///
/// Keys, drawing and the terminal's own ways are ncurses'; what is drawn is a `Screen`, and what did not change is not sent.
public final class TerminalDevice {
  private var shown: Screen?
  private let hasUnicode: Bool
  private var isOpen = true

  /// Takes the terminal over. It must know the process's locale by now, for letters beyond ASCII.
  public init(hasColors: Bool) throws(TerminalError) {
    if let reason = cterminal_open(hasColors, Int32(TerminalSize.most)) {
      throw TerminalError(reason: String(cString: reason))
    }
    hasUnicode = cterminal_has_unicode()
  }

  deinit { close() }

  /// Readable when there is input.
  public var descriptor: Int32 { cterminal_descriptor() }

  /// Restores the terminal at once; for signal handlers.
  public static let restore: @convention(c) () -> Void = { cterminal_restore() }

  /// Its size now.
  public var size: TerminalSize {
    var (columns, rows) = (Int32(0), Int32(0))
    cterminal_size(&columns, &rows)
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }

  /// All that came in since the last time; never waits.
  public func read() -> [TerminalInput] {
    var inputs: [TerminalInput] = []
    while inputs.count < 256 {
      let input = cterminal_read()
      switch input.kind {
      case .CTERMINAL_NOTHING: return inputs
      case .CTERMINAL_CHARACTER:
        inputs.append(.key(Unicode.Scalar(UInt32(bitPattern: input.code)).map { Key($0) } ?? .unknown))
      case .CTERMINAL_KEY: inputs.append(.key(key(input.code)))
      case .CTERMINAL_WHEEL: inputs.append(.key(.wheel(Int(input.code))))
      case .CTERMINAL_CLICK: inputs.append(.key(.click(row: Int(input.code))))
      case .CTERMINAL_RESIZED, .CTERMINAL_CONTINUED:
        shown = nil
        inputs.append(.resized(size))
      case .CTERMINAL_GONE:
        inputs.append(.gone)
        return inputs
      }
    }
    return inputs
  }

  /// Shows a screen; rows that are as they were are not touched.
  public func draw(_ screen: Screen) {
    for row in screen.rowsChanged(since: shown) {
      cterminal_clear_row(Int32(row))
      for run in screen.rows[row] {
        cterminal_put(Int32(row), Int32(run.column), hasUnicode ? run.text : ascii(run.text), run.style.bits)
      }
    }
    shown = screen
    cterminal_show()
  }

  /// Draws everything the next time.
  public func forget() {
    shown = nil
    cterminal_redraw()
  }

  /// Stops the process as Ctrl-Z does, and returns when it goes on.
  public func suspend() { cterminal_suspend() }

  /// Restores the terminal.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    cterminal_close()
  }

  private func key(_ code: Int32) -> Key {
    switch cterminal_key(rawValue: UInt32(bitPattern: code)) {
    case .CTERMINAL_UP: .up
    case .CTERMINAL_DOWN: .down
    case .CTERMINAL_LEFT: .left
    case .CTERMINAL_RIGHT: .right
    case .CTERMINAL_PAGE_UP: .pageUp
    case .CTERMINAL_PAGE_DOWN: .pageDown
    case .CTERMINAL_HOME: .home
    case .CTERMINAL_END: .end
    case .CTERMINAL_ENTER: .enter
    case .CTERMINAL_BACKSPACE: .backspace
    case .CTERMINAL_OTHER, nil: .unknown
    }
  }

  /// For terminals of other encodings: a question mark for every cell of what they do not have.
  private func ascii(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        if scalar.isASCII { return String(scalar) }
        return scalar == "·" ? "." : scalar == "─" ? "-" : String(repeating: "?", count: scalar.cellWidth)
      }.joined())
  }
}

extension Style {
  /// As the C side has it.
  var bits: Int32 {
    var bits =
      (isBold ? CTERMINAL_BOLD : 0) | (isDim ? CTERMINAL_DIM : 0) | (isReversed ? CTERMINAL_REVERSE : 0)
    if isUnderlined { bits |= CTERMINAL_UNDERLINE }
    return bits | Int32(color?.rawValue ?? 0) << CTERMINAL_COLOR_SHIFT
  }
}
