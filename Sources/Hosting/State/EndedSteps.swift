import Items

/// Steps that have ended while a page was half written to a text: what they brought does not count yet, so that they are over once it does.
/// A run that goes on before that does them again.
struct EndedSteps {
  /// A step, what it has returned, and whether it brought items.
  struct Ended {
    let step: Int
    let result: Bytes
    let hasItems: Bool
  }

  /// Those that do not count yet, by step.
  private var waiting: [Int: Ended] = [:]
  /// Those that do, and are yet to be noted.
  private var counting: [Int: Ended] = [:]

  /// What a step of them has returned.
  func result(of step: Int) -> Bytes? { (waiting[step] ?? counting[step])?.result }

  mutating func append(_ ended: Ended) { waiting[ended.step] = ended }

  /// What was written so far counts.
  mutating func count() {
    guard !waiting.isEmpty else { return }
    counting.merge(waiting) { $1 }
    waiting = [:]
  }

  /// Removes and returns those that count.
  mutating func takeCounting() -> [Ended] {
    guard !counting.isEmpty else { return [] }
    defer { counting = [:] }
    return counting.values.sorted { $0.step < $1.step }
  }
}
