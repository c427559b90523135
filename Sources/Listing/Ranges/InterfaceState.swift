/// How close an item is to being seen, as bits (Texture 4.1).
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

/// A callback for a change of an interface state.
public enum InterfaceCallback: String, Sendable, Hashable, CaseIterable {
  /// It entered the preload range: fetch its data.
  case didEnterPreload
  /// It left the preload range.
  case didExitPreload
  /// It entered the display range: render it.
  case didEnterDisplay
  /// It left the display range.
  case didExitDisplay
  /// It became visible.
  case didEnterVisible
  /// It is no longer visible.
  case didExitVisible
  /// Comes last, after any of the others.
  case stateDidChange
}

/// The callbacks of one change of state, in Texture's order: preload, display, visible, then the change
/// itself (Texture 4.7). Equal states give none. Iterating allocates nothing.
public struct InterfaceCallbacks: Sequence, Sendable, Hashable {
  /// Before.
  public let old: InterfaceState
  /// After.
  public let new: InterfaceState
  /// Whether a range controller manages it; what is unmanaged never exits preload.
  public let isRangeManaged: Bool

  public init(old: InterfaceState, new: InterfaceState, isRangeManaged: Bool = true) {
    self.old = old
    self.new = new
    self.isRangeManaged = isRangeManaged
  }

  public func makeIterator() -> Iterator { Iterator(change: self) }

  /// Goes through the callbacks.
  public struct Iterator: IteratorProtocol {
    private let change: InterfaceCallbacks
    private var step = 0

    init(change: InterfaceCallbacks) { self.change = change }

    public mutating func next() -> InterfaceCallback? {
      while step < 4 {
        step += 1
        if let callback = callback(at: step) { return callback }
      }
      return nil
    }

    private func callback(at step: Int) -> InterfaceCallback? {
      switch step {
      case 1: crossing(.preload, .didEnterPreload, change.isRangeManaged ? .didExitPreload : nil)
      case 2: crossing(.display, .didEnterDisplay, .didExitDisplay)
      case 3: crossing(.visible, .didEnterVisible, .didExitVisible)
      default: change.old == change.new ? nil : .stateDidChange
      }
    }

    private func crossing(
      _ bit: InterfaceState, _ entered: InterfaceCallback, _ exited: InterfaceCallback?
    ) -> InterfaceCallback? {
      switch (change.old.contains(bit), change.new.contains(bit)) {
      case (false, true): entered
      case (true, false): exited
      case (true, true), (false, false): nil
      }
    }
  }
}

/// Follows the interface state of one thing with all its parts, which share its state (Texture 4.4, 4.7).
public struct InterfaceTracker: Sendable, Hashable {
  /// The state now.
  public private(set) var state: InterfaceState
  /// Whether a range controller manages it.
  public let isRangeManaged: Bool
  private var isLeavingWindow = false

  /// Starts with a state, without callbacks.
  public init(_ state: InterfaceState = [], isRangeManaged: Bool) {
    self.state = state
    self.isRangeManaged = isRangeManaged
  }

  /// Changes the state; returns the callbacks.
  public mutating func change(to new: InterfaceState) -> InterfaceCallbacks {
    defer { state = new }
    return state.callbacks(to: new, isRangeManaged: isRangeManaged)
  }

  /// Adds bits.
  public mutating func enter(_ bits: InterfaceState) -> InterfaceCallbacks {
    change(to: state.union(bits))
  }

  /// Removes bits.
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
