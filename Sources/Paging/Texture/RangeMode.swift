/// How far the ranges reach (Texture 4.2, 4.5). Before the first pass there is no mode yet.
public enum RangeMode: String, Sendable, Hashable, CaseIterable {
  /// Little, until somebody scrolls.
  case minimum
  /// All that helps while somebody scrolls.
  case full
  /// Only what is seen.
  case visibleOnly
  /// Not even what is seen is displayed.
  case lowMemory

  /// The mode for a container that lies that many others deep below the one seen.
  public init(visibilityDepth depth: Int) {
    precondition(depth >= 0, "a visibility depth of \(depth)")
    switch depth {
    case 0: self = .full
    case 1: self = .minimum
    case 2: self = .visibleOnly
    default: self = .lowMemory
    }
  }

  /// The mode of the next pass (Texture 4.4, rule 3).
  ///
  /// An invisible container never changes its mode by itself, and nothing does before somebody scrolled.
  public static func next(
    after current: RangeMode?, isPreserved: Bool, hasBeenScrolled: Bool, isVisible: Bool
  ) -> RangeMode {
    guard let current else { return .minimum }
    return !isPreserved && hasBeenScrolled && isVisible ? .full : current
  }
}
