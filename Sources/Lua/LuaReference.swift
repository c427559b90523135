import CLua
import Synchronization

/// Keeps a Lua value alive for the host. May be dropped on any thread: the state lets go of it at its next turn.
///
/// ```swift
/// let handler = stack.popReference(in: state)
/// state.stack.push(handler)
/// ```
public final class LuaReference: Sendable {
  let number: Int32
  private let released: ReleasedReferences

  init(number: Int32, state: LuaState) {
    self.number = number
    released = state.released
  }

  deinit { released.add(.value(number)) }
}

/// References that were dropped, waiting for the thread that owns the state.
final class ReleasedReferences: Sendable {
  private let released = Mutex<[Released]>([])

  func add(_ reference: Released) { released.withLock { $0.append(reference) } }

  func drain() -> [Released] {
    released.withLock { released in
      defer { released = [] }
      return released
    }
  }
}

/// A reference that was dropped.
enum Released: Sendable {
  case value(Int32)
  case coroutine(DroppedCoroutine)
}

/// A coroutine that the host has dropped; only the thread that owns the state looks at it.
struct DroppedCoroutine: @unchecked Sendable {
  let pointer: OpaquePointer
  /// What keeps it alive.
  let number: Int32
  /// Whether its function has returned.
  let hasFinished: Bool
}
