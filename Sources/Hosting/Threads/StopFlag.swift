import Synchronization

/// Says, from any thread, that work should end soon.
public final class StopFlag: Sendable {
  private let flag = Atomic(false)

  /// Nothing has been said.
  public init() {}

  /// Whether it should.
  public var isSet: Bool { flag.load(ordering: .relaxed) }

  /// Says so; a signal handler may.
  public func set() { flag.store(true, ordering: .relaxed) }
}
