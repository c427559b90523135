import Paging

/// Holds out a part of the sessions, to check on them what was chosen on the others.
///
/// A session's side depends only on the seed and its number: adding sessions moves none.
public struct HoldoutSplit: Sendable, Hashable {
  /// From 0 to 1: approximate share of the sessions held out.
  public let fraction: Double
  private let seed: UInt64

  public init(seed: UInt64, fraction: Double) {
    self.seed = seed
    self.fraction = fraction
  }

  /// Whether the session is held out.
  public func isHeldOut(_ session: Int) -> Bool {
    var stream = RandomStream(seed: seed, "holdout", session)
    return stream.unit() < fraction
  }
}
