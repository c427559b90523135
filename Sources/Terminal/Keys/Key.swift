/// What a person does to a terminal.
public enum Key: Sendable, Hashable {
  /// A key that writes something.
  case character(Character)
  /// A letter from a to z with Ctrl.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, tab
  /// The mouse wheel by a number of notches, positive towards the end.
  case wheel(Int)
  /// A click into a row of the screen, from 0.
  case click(row: Int)
  /// A key that is not known.
  case unknown

  /// What a character of a terminal's input stands for.
  public init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x0D, 0x0A: self = .enter
    case 0x1B: self = .escape
    case 0x09: self = .tab
    case 0x7F, 0x08: self = .backspace
    case 0x01...0x1A: self = .control(Character(Unicode.Scalar(UInt8(scalar.value + 0x60))))
    case 0..<0x20: self = .unknown
    default: self = .character(Character(scalar))
    }
  }
}
