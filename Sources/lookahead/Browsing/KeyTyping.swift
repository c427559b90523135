import Paging
import Terminal

/// Types a key script, one step per turn of the loop.
struct KeyTyping {
  private var steps: ArraySlice<KeyStep>
  private var waitsUntil: Instant?
  private var settlesUntil: Instant?
  /// When the next step may be due.
  private(set) var wakesAt: Instant?

  /// Polling interval of `settle`, since nothing reports it.
  private static let pause = Duration.milliseconds(5)

  /// What to do.
  enum Action {
    case key(Key)
    case resize(columns: Int, rows: Int)
    /// There are no more steps.
    case over
  }

  init(_ steps: [KeyStep]) { self.steps = steps[...] }

  /// The next step, if due. A wait starts when its turn comes.
  mutating func next(isSettled: Bool, at now: Instant) -> Action? {
    while true {
      if let time = waitsUntil {
        guard time <= now else { return rest(until: time) }
        waitsUntil = nil
      }
      if let time = settlesUntil {
        guard isSettled || time <= now else { return rest(until: min(time, now + Self.pause)) }
        settlesUntil = nil
      }
      wakesAt = now
      switch steps.popFirst() {
      case .key(let key): return .key(key)
      case .resize(let columns, let rows): return .resize(columns: columns, rows: rows)
      case .wait(let duration): waitsUntil = now + duration
      case .settle(let patience):
        settlesUntil = now + patience
        // What the step before asked for has to begin first.
        return nil
      case nil: return .over
      }
    }
  }

  private mutating func rest(until time: Instant) -> Action? {
    wakesAt = time
    return nil
  }
}
