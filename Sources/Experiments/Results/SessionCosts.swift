/// What a second of waiting, a request, a wasted item and so on cost, to rate a session by one number (lab.md 2.1:
/// `J`).
public struct SessionCosts: Sendable, Equatable {
  /// Per second of stall.
  public var stall = 1.0
  /// Per stall.
  public var event = 0.0
  /// Per request.
  public var request = 0.0
  /// Per item fetched but never seen.
  public var waste = 0.0
  /// Per item held for a second: item-seconds, as `SessionScore.heldTime`.
  public var memory = 0.0
  /// Per megabyte received.
  public var bytes = 0.0
  /// Per joule of the radio.
  public var energy = 0.0
  /// Per reader who leaves while waiting.
  public var left = 0.0

  public init() {}

  /// The metric policies are judged by: stall, or cost if costs were given.
  public var primary: Metric { self == SessionCosts() ? .stall : .cost }

  /// The cost of a session.
  public func cost(of score: SessionScore) -> Double {
    stall * score.stall + event * Double(score.stalls) + request * Double(score.requests)
      + waste * Double(score.waste) + memory * score.heldTime + bytes * score.bytes / 1e6
      + energy * score.energy + left * Double(score.left)
  }
}
