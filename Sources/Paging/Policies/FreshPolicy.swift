/// A policy that can be made anew: so it does not matter whether what it remembers is part of its value, as in a built-in one,
/// or is shared, as in the tables of a script.
///
///     let policy = FreshPolicy("ramp") { Ramp() }
///     var first = policy.make()
public struct FreshPolicy {
  /// As people call it.
  public let name: String
  /// A policy that remembers nothing.
  public let make: () -> any FetchPolicy

  /// A policy that is a value.
  public init(_ name: String, _ policy: any FetchPolicy) {
    self.name = name
    make = { policy }
  }

  /// A policy that may share what it remembers with its copies; `make` gives one that remembers nothing.
  public init(_ name: String, making make: @escaping () -> any FetchPolicy) {
    self.name = name
    self.make = make
  }
}
