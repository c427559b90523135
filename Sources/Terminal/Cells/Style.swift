/// The style of a cell. Colours can be turned off, so no colour carries meaning alone.
public struct Style: Sendable, Hashable {
  /// The six colours of every terminal besides black and white.
  public enum Color: Int, Sendable, CaseIterable {
    case red = 1, green, yellow, blue, magenta, cyan
  }

  public var isBold = false
  public var isDim = false
  public var isReversed = false
  public var isUnderlined = false
  /// Nil is the terminal's default.
  public var color: Color?

  /// As plain text.
  public static let plain = Style()
  public static let bold = Style(isBold: true)
  public static let dim = Style(isDim: true)
  public static let reversed = Style(isReversed: true)

  public init(isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false, color: Color? = nil) {
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
    self.color = color
  }
}
