/// A differently styled part of a text.
public struct LineSpan: Sendable, Equatable {
  /// UTF-8 bytes of the text.
  public let range: Range<Int>
  public let style: Style

  public init(_ range: Range<Int>, _ style: Style) {
    self.range = range
    self.style = style
  }
}

extension Style {
  /// The ECMA-48 sequence of the style; empty if plain.
  public var sequence: String {
    var codes: [Int] = []
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if isUnderlined { codes.append(4) }
    if isReversed { codes.append(7) }
    if let color { codes.append(30 + color.rawValue) }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }

  /// Resets all styles.
  public static let endSequence = "\u{1B}[0m"

  /// The text in this style.
  public func around(_ text: String) -> String {
    let begin = sequence
    return begin.isEmpty ? text : begin + text + Style.endSequence
  }
}
