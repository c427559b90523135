import Text

/// Text with styles. The styles are the program's own; the text may come from anywhere: control sequences in it are
/// drawn as escapes.
///
/// `StyledText("error:", Style(color: .red)) + StyledText(message)` is safe for any message.
public struct StyledText: Sendable, Equatable, ExpressibleByStringLiteral {
  /// A run of one style.
  struct Run: Sendable, Equatable {
    var text: String
    let style: Style
  }

  private(set) var runs: [Run] = []

  /// Text in one style.
  public init(_ text: String, _ style: Style = .plain) { append(text, style) }

  public init(stringLiteral text: String) { append(text, .plain) }

  /// Text with the control sequences of `Style`, as written by our own printers; every other sequence is text.
  public init(marked text: String) {
    var rest = text[...]
    var style = Style.plain
    while let escape = rest.firstIndex(of: "\u{1B}") {
      append(String(rest[..<escape]), style)
      if let (marked, end) = Self.mark(rest[escape...]) {
        style = marked
        rest = rest[end...]
      } else {
        append("\u{1B}", style)
        rest = rest[rest.index(after: escape)...]
      }
    }
    append(String(rest), style)
  }

  /// The unstyled text, as given.
  public var text: String { runs.map(\.text).joined() }

  /// The terminal output, with line ends and tabs kept.
  public func drawn() -> String { runs.map { $0.style.around(HarmlessText.lines($0.text)) }.joined() }

  public static func + (one: StyledText, other: StyledText) -> StyledText {
    var sum = one
    for run in other.runs { sum.append(run.text, run.style) }
    return sum
  }

  private mutating func append(_ text: String, _ style: Style) {
    guard !text.isEmpty else { return }
    if runs.last?.style == style {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Run(text: text, style: style))
    }
  }

  /// The style of a sequence at the start, and the index after it; nil if it is not one of a style.
  private static func mark(_ text: Substring) -> (Style, Substring.Index)? {
    let inside = text.dropFirst()
    guard inside.first == "[", let end = inside.prefix(24).firstIndex(of: "m") else { return nil }
    var style = Style.plain
    for code in inside[inside.index(after: inside.startIndex)..<end].split(
      separator: ";", omittingEmptySubsequences: false)
    {
      switch code.count <= 2 ? UInt8(code).map(Int.init) : nil {
      case 0: style = .plain
      case 1: style.isBold = true
      case 2: style.isDim = true
      case 4: style.isUnderlined = true
      case 7: style.isReversed = true
      case let number?:
        guard let color = Style.Color(rawValue: number - 30) else { return nil }
        style.color = color
      case nil: return nil
      }
    }
    return (style, text.index(after: end))
  }
}
