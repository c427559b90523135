import CLua

/// What the scripts of a state use of the machine, and what is used for them elsewhere: one account of bytes and of processor
/// time. Any thread may use it, and it may outlive its state.
///
/// ```swift
/// state.account.hold(body.count)
/// defer { state.account.hold(-body.count) }
/// ```
public final class LuaAccount: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(_ state: OpaquePointer) { pointer = clua_retain_account(clua_account_of(state)) }

  deinit { clua_release_account(pointer) }

  /// Puts bytes on the account that are held for a script; a negative number takes them off again.
  public func hold(_ bytes: Int) { clua_hold(pointer, Int64(bytes)) }

  /// Pays for processor time that was used for a script; false when it has used up what it may in all, or is stopped.
  public func spend(_ time: Duration) -> Bool {
    let (seconds, attoseconds) = time.components
    let nanoseconds = min(max(seconds, 0), 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    return clua_spend(pointer, nanoseconds)
  }
}

extension LuaState {
  /// Whether somebody else pays for the processor time of what runs here.
  public var isPaidElsewhere: Bool {
    get { clua_is_paid_elsewhere(pointer) }
    set { clua_set_paid_elsewhere(pointer, newValue) }
  }

  /// Bytes that scripts may still hold.
  public var memoryLeft: Int { clua_memory_left(pointer) }

  /// Whether these bytes may be held for a script; garbage is collected first where that is needed.
  public func reserve(_ bytes: Int) -> Bool { clua_reserve(pointer, max(0, bytes)) != 0 }
}
