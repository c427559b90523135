public import Paging

/// A policy to compare, with the parameters a sweep can set.
public struct ExperimentPolicy {
  /// Its name in rows.
  public var name: String
  /// Parameters with their defaults.
  public var parameters: [String: Double]
  /// Why a policy that was made failed to decide, with the script's line: the first failure since the last call.
  public var takeFailure: () -> String? = { nil }
  private let maker: ([String: Double], UInt64) throws -> any FetchPolicy

  /// A policy that `make` creates anew for every session, from its parameters and the seed of its random numbers.
  public init(
    name: String, parameters: [String: Double] = [:],
    make: @escaping ([String: Double], UInt64) throws -> any FetchPolicy
  ) {
    self.name = name
    self.parameters = parameters
    maker = make
  }

  /// A policy without random numbers that `make` creates anew for every session.
  public init(
    name: String, parameters: [String: Double] = [:],
    make: @escaping ([String: Double]) throws -> any FetchPolicy
  ) {
    self.init(name: name, parameters: parameters) { values, _ in try make(values) }
  }

  /// Makes a policy for one session; missing parameters have their defaults.
  public func make(_ parameters: [String: Double], seed: UInt64 = 0) throws -> any FetchPolicy {
    try maker(parameters, seed)
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
