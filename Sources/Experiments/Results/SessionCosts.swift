/// What a second of waiting, a request, a wasted item and a held item cost, to make one number of a session
/// (lab.md 2.1: `J`).
public struct SessionCosts: Sendable, Equatable {
  /// Per second of stall.
  public var stall = 1.0
  /// Per time of waiting.
  public var event = 0.0
  /// Per request.
  public var request = 0.0
  /// Per item fetched and never seen.
  public var waste = 0.0
  /// Per item held for one second.
  public var memory = 0.0

  public init() {}

  /// The session as one number.
  public func cost(of score: SessionScore) -> Double {
    stall * score.stall + event * Double(score.stalls) + request * Double(score.requests)
      + waste * Double(score.waste) + memory * score.heldTime
  }
}
