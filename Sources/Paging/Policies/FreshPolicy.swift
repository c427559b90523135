/// A policy that can be made anew, whether its state is part of its value, as in built-in ones, or shared, as in a
/// script's tables.
///
///     let policy = FreshPolicy("ramp") { Ramp() }
///     var first = policy.make()
public struct FreshPolicy {
  /// Its display name.
  public let name: String
  /// Makes a policy without state.
  public let make: () -> any FetchPolicy

  /// A policy with value semantics.
  public init(_ name: String, _ policy: any FetchPolicy) {
    self.name = name
    make = { policy }
  }

  /// A policy that may share state with its copies; `make` returns a fresh one.
  public init(_ name: String, making make: @escaping () -> any FetchPolicy) {
    self.name = name
    self.make = make
  }
}
