/// A part of a text that looks different from the rest.
public struct LineSpan: Sendable, Equatable {
  /// Bytes of the text in UTF-8.
  public let range: Range<Int>
  public let style: Style

  public init(_ range: Range<Int>, _ style: Style) {
    self.range = range
    self.style = style
  }
}

extension Style {
  /// What turns it on in a terminal that knows ECMA-48; empty for plain text.
  public var sequence: String {
    var codes: [Int] = []
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if isUnderlined { codes.append(4) }
    if isReversed { codes.append(7) }
    if let color { codes.append(30 + color.rawValue) }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }

  /// What turns every style off.
  public static let endSequence = "\u{1B}[0m"

  /// The text in this style.
  public func around(_ text: String) -> String {
    let begin = sequence
    return begin.isEmpty ? text : begin + text + Style.endSequence
  }
}
