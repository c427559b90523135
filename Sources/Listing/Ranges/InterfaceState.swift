/// How close an item is to being visible, as bits (Texture 4.1).
public struct InterfaceState: OptionSet, Sendable, Hashable {
  /// The bits, as in Texture.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Its size is known, or about to be.
  public static let measure = InterfaceState(rawValue: 1)
  /// Its data is wanted.
  public static let preload = InterfaceState(rawValue: 2)
  /// Its rendering is wanted.
  public static let display = InterfaceState(rawValue: 4)
  /// It is visible.
  public static let visible = InterfaceState(rawValue: 8)
  /// The state of something on screen that is in no range, such as a header.
  public static let inHierarchy: InterfaceState = [.measure, .preload, .display, .visible]

  /// The callbacks of a change to `new`, in order.
  public func callbacks(to new: InterfaceState, isRangeManaged: Bool = true) -> InterfaceCallbacks {
    InterfaceCallbacks(old: self, new: new, isRangeManaged: isRangeManaged)
  }
}

/// A callback for a change of interface state.
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
  /// The state changed; last, after any of the others.
  case stateDidChange
}

/// The callbacks of one state change, in Texture's order: preload, display, visible, then the change itself
/// (Texture 4.7). Equal states give none. Iterating allocates nothing.
public struct InterfaceCallbacks: Sequence, Sendable, Hashable {
  /// The state before.
  public let old: InterfaceState
  /// The state after.
  public let new: InterfaceState
  /// Whether a range controller manages it; unmanaged elements never exit preload.
  public let isRangeManaged: Bool

  public init(old: InterfaceState, new: InterfaceState, isRangeManaged: Bool = true) {
    self.old = old
    self.new = new
    self.isRangeManaged = isRangeManaged
  }

  public func makeIterator() -> Iterator { Iterator(change: self) }

  /// Iterates over the callbacks.
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

/// Tracks the interface state of an element and its parts, which share it (Texture 4.4, 4.7).
public struct InterfaceTracker: Sendable, Hashable {
  /// The state now.
  public private(set) var state: InterfaceState
  /// Whether a range controller manages it.
  public let isRangeManaged: Bool
  private var isLeavingWindow = false

  /// Starts in a state, without callbacks.
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

  /// The callback when its data is wanted again: none outside the preload range.
  public var preloadAgain: InterfaceCallback? { state.contains(.preload) ? .didEnterPreload : nil }

  /// It came on screen, whatever range it is in.
  public mutating func enterWindow() -> InterfaceCallbacks {
    isLeavingWindow = false
    return enter(.inHierarchy)
  }

  /// It left the screen; takes effect when the turn ends, unless it came back.
  public mutating func leaveWindow() { isLeavingWindow = true }

  /// Ends the turn: what left its window is no longer visible, and loses all bits if no range controller manages it.
  public mutating func endTurn() -> InterfaceCallbacks {
    guard isLeavingWindow else { return change(to: state) }
    isLeavingWindow = false
    return exit(isRangeManaged ? .visible : .inHierarchy)
  }
}
