/// A user's action in a terminal.
public enum Key: Sendable, Hashable {
  /// A printing key.
  case character(Character)
  /// Ctrl with a letter from a to z.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, tab
  /// The mouse wheel by a number of notches, positive towards the end.
  case wheel(Int)
  /// A click on a screen row, from 0.
  case click(row: Int)
  /// An unknown key.
  case unknown

  /// The key for a character of terminal input.
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
