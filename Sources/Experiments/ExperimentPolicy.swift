public import Paging

/// A policy to compare, with the parameters a sweep can set.
public struct ExperimentPolicy {
  /// Its name in rows.
  public var name: String
  /// Parameters with their defaults.
  public var parameters: [String: Double]
  /// Makes a policy for one session; missing parameters have their defaults.
  public var make: ([String: Double]) throws -> any FetchPolicy
  /// Why a policy that was made failed to decide, with the script's line: the first failure since the last call.
  public var takeFailure: () -> String? = { nil }

  /// A policy that `make` creates anew for every session.
  public init(
    name: String, parameters: [String: Double] = [:],
    make: @escaping ([String: Double]) throws -> any FetchPolicy
  ) {
    self.name = name
    self.parameters = parameters
    self.make = make
  }

  /// The built-in policy named by a text such as `leadingScreens(2)`. Its number, if it takes one, is its parameter,
  /// such as `screens` of `leadingScreens`.
  public init(builtIn text: String) throws(PolicyTextError) {
    guard let number = try BuiltInPolicies.parameter(of: text) else {
      _ = try BuiltInPolicies.policy(text)
      self.init(name: text) { _ in try BuiltInPolicies.policy(text) }
      return
    }
    _ = try BuiltInPolicies.policy(number.policy, [number.value])
    self.init(name: text, parameters: [number.name: number.value]) { values in
      try BuiltInPolicies.policy(number.policy, [values[number.name] ?? number.value])
    }
  }
}
