/// How near a thing is to the eye, as bits (Texture 4.1).
public struct InterfaceState: OptionSet, Sendable, Hashable {
  /// The bits as Texture has them.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Its size is, or is about to be, known.
  public static let measure = InterfaceState(rawValue: 1)
  /// Its data are wanted.
  public static let preload = InterfaceState(rawValue: 2)
  /// Its looks are wanted.
  public static let display = InterfaceState(rawValue: 4)
  /// It is seen.
  public static let visible = InterfaceState(rawValue: 8)
  /// What something has that is simply there and in no range, such as a header.
  public static let inHierarchy: InterfaceState = [.measure, .preload, .display, .visible]

  /// What to call when it changes to `new`, in order.
  public func callbacks(to new: InterfaceState, isRangeManaged: Bool = true) -> InterfaceCallbacks {
    InterfaceCallbacks(old: self, new: new, isRangeManaged: isRangeManaged)
  }
}
