import Synchronization

/// Tells work, from any thread, to end soon.
public final class StopFlag: Sendable {
  private let flag = Atomic(false)

  /// Not set.
  public init() {}

  /// Whether it is set.
  public var isSet: Bool { flag.load(ordering: .relaxed) }

  /// Sets it; async-signal-safe.
  public func set() { flag.store(true, ordering: .relaxed) }
}
