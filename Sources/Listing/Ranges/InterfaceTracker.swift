/// Follows the interface state of one thing with all its parts, which share its state (Texture 4.4, 4.7).
public struct InterfaceTracker: Sendable, Hashable {
  /// The state now.
  public private(set) var state: InterfaceState
  /// Whether a range controller looks after it.
  public let isRangeManaged: Bool
  private var isLeavingWindow = false

  /// `state` is what it starts with; nobody is told.
  public init(_ state: InterfaceState = [], isRangeManaged: Bool) {
    self.state = state
    self.isRangeManaged = isRangeManaged
  }

  /// Takes on a state; gives what to call.
  public mutating func change(to new: InterfaceState) -> InterfaceCallbacks {
    defer { state = new }
    return state.callbacks(to: new, isRangeManaged: isRangeManaged)
  }

  /// Adds bits.
  public mutating func enter(_ bits: InterfaceState) -> InterfaceCallbacks {
    change(to: state.union(bits))
  }

  /// Takes bits away.
  public mutating func exit(_ bits: InterfaceState) -> InterfaceCallbacks {
    change(to: state.subtracting(bits))
  }

  /// What to call when its data are wanted once more: nothing outside of the preload range.
  public var preloadAgain: InterfaceCallback? { state.contains(.preload) ? .didEnterPreload : nil }

  /// It is on a screen, whatever range it is in.
  public mutating func enterWindow() -> InterfaceCallbacks {
    isLeavingWindow = false
    return enter(.inHierarchy)
  }

  /// It was taken off a screen; that counts when the turn ends and it has not come back.
  public mutating func leaveWindow() { isLeavingWindow = true }

  /// The turn is over: what left its window is no longer visible, and what no range controller looks after
  /// is nothing at all.
  public mutating func endTurn() -> InterfaceCallbacks {
    guard isLeavingWindow else { return change(to: state) }
    isLeavingWindow = false
    return exit(isRangeManaged ? .visible : .inHierarchy)
  }
}
