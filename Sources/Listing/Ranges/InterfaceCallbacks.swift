/// One thing that somebody is told about an interface state.
public enum InterfaceCallback: String, Sendable, Hashable, CaseIterable {
  /// Its data are wanted from now on.
  case didEnterPreload
  /// Its data are not wanted any more.
  case didExitPreload
  /// Its looks are wanted from now on.
  case didEnterDisplay
  /// Its looks are not wanted any more.
  case didExitDisplay
  /// It is seen from now on.
  case didEnterVisible
  /// It is not seen any more.
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
  /// Whether a range controller looks after it; what nobody manages never exits preload.
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
