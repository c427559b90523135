import Paging

/// Keeps a part of the sessions back, to check on them what was chosen on the others.
///
/// A session's side depends on the seed and its number only: more sessions move none of the earlier ones.
public struct HoldoutSplit: Sendable, Hashable {
  /// From 0 to 1: about this part of the sessions is kept back.
  public let fraction: Double
  private let seed: UInt64

  public init(seed: UInt64, fraction: Double) {
    self.seed = seed
    self.fraction = fraction
  }

  /// Whether the session is kept back.
  public func isHeldOut(_ session: Int) -> Bool {
    var stream = RandomStream(seed: seed, "holdout", session)
    return stream.unit() < fraction
  }
}
