import Items
import Text

/// Edited text as terminal rows, with the position of the cursor.
public struct LineDrawing: Sendable, Equatable {
  /// One row of the terminal.
  public struct Row: Sendable, Equatable {
    /// Including style sequences.
    public internal(set) var text = ""
    /// Cells it takes.
    public internal(set) var width = 0
  }

  /// From the top, at least one.
  public private(set) var rows: [Row] = []
  /// The row of the cursor, from 0.
  public private(set) var cursorRow = 0
  /// The cell of the cursor in its row, from 0.
  public private(set) var cursorColumn = 0
  private let columns: Int

  /// Lays out the text after its prompts.
  public init(_ edited: EditedText, _ look: LineLook, columns: Int) {
    self.columns = max(2, columns)
    let spans = look.spans.sorted { $0.range.lowerBound < $1.range.lowerBound }
    var styles = spans[...]
    var offset = 0
    for (number, line) in edited.lines.enumerated() {
      begin(number == 0 ? look.prompt : look.continuation)
      var column = 0
      for scalar in line.unicodeScalars {
        if number == edited.row && column == edited.column { markCursor() }
        styles = styles.drop { $0.range.upperBound <= offset }
        let style = styles.first.flatMap { $0.range.contains(offset) ? $0.style : nil } ?? .plain
        put(scalar, style)
        offset += UTF8.width(scalar)
        column += 1
      }
      if number == edited.row && column == edited.column { markCursor(atEnd: true) }
      offset += 1
    }
  }

  /// Appends rows below the text.
  public mutating func append(_ texts: [String]) {
    rows += texts.map { text in
      let text = text.printable.clipped(to: columns)
      return Row(text: text, width: text.cellWidth)
    }
  }

  /// At most `height` rows, around the cursor.
  public func clipped(to height: Int) -> LineDrawing {
    guard rows.count > height else { return self }
    var clipped = self
    let first = max(0, min(cursorRow - height / 2, rows.count - height))
    clipped.rows = Array(rows[first..<(first + height)])
    clipped.cursorRow -= first
    return clipped
  }

  private mutating func begin(_ prompt: StyledText) {
    rows.append(Row(text: prompt.drawn(), width: HarmlessText.lines(prompt.text).cellWidth))
    if rows[rows.count - 1].width >= columns { rows.append(Row()) }
  }

  private mutating func put(_ scalar: Unicode.Scalar, _ style: Style) {
    let (text, width, own) = Self.shown(scalar, at: rows[rows.count - 1].width)
    if rows[rows.count - 1].width + width > columns { rows.append(Row()) }
    rows[rows.count - 1].text += (own ?? style).around(text)
    rows[rows.count - 1].width += width
  }

  private mutating func markCursor(atEnd: Bool = false) {
    if rows[rows.count - 1].width >= columns { rows.append(Row()) }
    cursorRow = rows.count - 1
    cursorColumn = rows[cursorRow].width
  }

  /// Control characters never reach the terminal.
  private static func shown(_ scalar: Unicode.Scalar, at column: Int) -> (String, Int, Style?) {
    switch scalar.value {
    case 0x09:
      let width = 4 - column % 4
      return (String(repeating: " ", count: width), width, nil)
    case 0..<0x20, 0x7F:
      let letter = Unicode.Scalar(UInt8(scalar.value ^ 0x40))
      return ("^\(letter)", 2, .reversed)
    case 0x80..<0xA0, 0x2028, 0x2029: return ("?", 1, .reversed)
    default:
      // Joined emoji may be typed, too.
      let isHidden = HarmlessText.isHazardous(scalar) && scalar.value != 0x200D
      return isHidden ? ("", 0, nil) : (String(scalar), scalar.cellWidth, nil)
    }
  }
}

/// The look of edited text.
public struct LineLook: Sendable {
  /// Before the first line.
  public var prompt: StyledText
  /// Before every other line.
  public var continuation: StyledText
  /// The parts that have a style.
  public var spans: [LineSpan]

  public init(prompt: StyledText = "", continuation: StyledText = "", spans: [LineSpan] = []) {
    self.prompt = prompt
    self.continuation = continuation
    self.spans = spans
  }
}
