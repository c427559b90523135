public import Paging

extension RangeController {
  /// Asks for a mode, for the next pass at least.
  public mutating func setMode(_ wanted: RangeMode) {
    preservesMode = true
    guard mode != wanted else { return }
    mode = wanted
    needsUpdate = true
  }

  /// A person began to drag: from now on the ranges reach far.
  public mutating func beginDragging() {
    hasBeenScrolled = true
    setMode(.full)
  }

  /// Everything that was to be displayed is: the ranges may reach further, if they were restricted.
  public mutating func drainRenderer() {
    guard awaitsRenderer else { return }
    awaitsRenderer = false
    if nextMode != mode { needsUpdate = true }
  }

  /// The program is short of memory, or goes to the background, or comes back.
  public mutating func handle(_ event: ApplicationEvent) -> RangePass {
    let previous = mode
    setMode(event.mode(for: container.state))
    let pass = update(isForced: mode != previous)
    guard event == .enteredBackground else { return pass }
    return clear(\.visible, after: pass)
  }

  /// Takes a bit from all items, as part of the pass that was just made.
  private mutating func clear(
    _ bit: WritableKeyPath<ItemRanges, Range<Int>>, after pass: RangePass
  ) -> RangePass {
    states[keyPath: bit] = 0..<0
    return isCoalescing ? pass : RangePass(old: pass.old, new: commit().new)
  }
}

extension RangeController {
  /// What a change of the container's own state brings with it.
  public struct ContainerChange: Sendable {
    /// What the container is to be told.
    public let callbacks: InterfaceCallbacks
    /// It came near for the first time, and has a size: its data are to be loaded.
    public let loadsData: Bool
    /// What its items are to be told.
    public let pass: RangePass
  }

  /// The container came on a screen.
  public mutating func enterWindow() -> RangePass {
    _ = container.enterWindow()
    return update(isForced: true)
  }

  /// The container left its screen; that counts when the turn ends and it has not come back.
  public mutating func leaveWindow() { container.leaveWindow() }

  /// The turn is over: makes the pass that is due.
  public mutating func endTurn() -> RangePass {
    let change = container.endTurn()
    return update(isForced: change.old != change.new)
  }

  /// The container is itself an item of another one, which changed its state (Texture 4.7).
  ///
  /// Entering preload it loads its data, if it has a size; leaving it, its items leave theirs.
  public mutating func changeContainer(to state: InterfaceState) -> ContainerChange {
    let callbacks = container.change(to: state)
    let loadsData =
      callbacks.contains(.didEnterPreload) && viewport.width != 0 && viewport.height != 0
    var pass = update(isForced: callbacks.old != callbacks.new)
    if callbacks.contains(.didExitPreload) { pass = clear(\.preload, after: pass) }
    return ContainerChange(callbacks: callbacks, loadsData: loadsData, pass: pass)
  }
}
