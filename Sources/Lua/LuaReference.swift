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

  deinit { released.add(number) }
}

/// References that were dropped, waiting for the thread that owns the state.
final class ReleasedReferences: Sendable {
  private let numbers = Mutex<[Int32]>([])

  func add(_ number: Int32) { numbers.withLock { $0.append(number) } }

  func drain() -> [Int32] {
    numbers.withLock { numbers in
      defer { numbers.removeAll(keepingCapacity: true) }
      return numbers
    }
  }
}
