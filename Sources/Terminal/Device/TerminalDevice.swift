internal import CTerminal
import Text

/// Why there is no usable terminal.
public struct TerminalError: Error, Sendable, Hashable {
  public let reason: String
}

/// An event of the terminal.
public enum TerminalInput: Sendable, Hashable {
  case key(Key)
  /// It was resized, or has to be redrawn.
  case resized(TerminalSize)
  /// The terminal was closed.
  case gone
}

/// The terminal of this process, taken over while this object lives: keys arrive one by one, and signals that end or
/// stop the process restore the terminal first. One instance at a time.
///
/// Keys, drawing and terminal quirks are handled by ncurses; what is drawn is a `Screen`, of which only changes are
/// sent.
public final class TerminalDevice {
  private var shown: Screen?
  private let hasUnicode: Bool
  private var isOpen = true

  /// Takes over the terminal. The process's locale must already be set, for non-ASCII characters.
  public init(hasColors: Bool) throws(TerminalError) {
    if let reason = cterminal_open(hasColors, Int32(TerminalSize.most)) {
      throw TerminalError(reason: String(cString: reason))
    }
    hasUnicode = cterminal_has_unicode()
  }

  deinit { close() }

  /// Readable when there is input.
  public var descriptor: Int32 { cterminal_descriptor() }

  /// Restores the terminal; async-signal-safe.
  public static let restore: @convention(c) () -> Void = { cterminal_restore() }

  /// Its current size.
  public var size: TerminalSize {
    var (columns, rows) = (Int32(0), Int32(0))
    cterminal_size(&columns, &rows)
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }

  /// All input since the last call; never waits.
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

  /// Shows a screen; unchanged rows are not touched.
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

  /// Redraws everything the next time.
  public func forget() {
    shown = nil
    cterminal_redraw()
  }

  /// Suspends the process like Ctrl-Z, and returns when it continues.
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

  /// For other terminal encodings: a question mark for each cell without an equivalent.
  private func ascii(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        if scalar.isASCII { return String(scalar) }
        return scalar == "·" ? "." : scalar == "─" ? "-" : String(repeating: "?", count: scalar.cellWidth)
      }.joined())
  }
}

extension Style {
  /// As on the C side.
  var bits: Int32 {
    var bits =
      (isBold ? CTERMINAL_BOLD : 0) | (isDim ? CTERMINAL_DIM : 0) | (isReversed ? CTERMINAL_REVERSE : 0)
    if isUnderlined { bits |= CTERMINAL_UNDERLINE }
    return bits | Int32(color?.rawValue ?? 0) << CTERMINAL_COLOR_SHIFT
  }
}
