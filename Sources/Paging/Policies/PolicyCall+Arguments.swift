extension PolicyCall {
  /// One number, or none where there is a default.
  func number(default value: Double?, atLeast least: Double) throws(PolicyTextError) -> Double? {
    guard !arguments.isEmpty else { return value }
    guard arguments.count == 1, case .number(let number) = arguments[0], number >= least else {
      throw mistake("one number from \(least) on")
    }
    return number
  }

  func required(atLeast least: Double) throws(PolicyTextError) -> Double {
    guard let number = try number(default: nil, atLeast: least) else {
      throw mistake("one number from \(least) on")
    }
    return number
  }

  /// One whole number from 1 on.
  func count(default value: Int?) throws(PolicyTextError) -> Int {
    if arguments.isEmpty, let value { return value }
    guard let number = try number(default: nil, atLeast: 1), number <= 1e9, number == number.rounded() else {
      throw mistake("one whole number from 1 on")
    }
    return Int(number)
  }

  func alone(_ policy: any FetchPolicy) throws(PolicyTextError) -> any FetchPolicy {
    guard arguments.isEmpty else { throw mistake("no arguments") }
    return policy
  }

  /// Policies only, at least one.
  func members() throws(PolicyTextError) -> [any FetchPolicy] {
    guard !arguments.isEmpty else { throw mistake("at least one policy") }
    var members: [any FetchPolicy] = []
    for argument in arguments {
      guard case .policy(let call) = argument else { throw mistake("policies only") }
      members.append(try BuiltInPolicies.policy(call))
    }
    return members
  }

  func pair(
    _ make: (any FetchPolicy, any FetchPolicy) -> any FetchPolicy
  ) throws(PolicyTextError) -> any FetchPolicy {
    let members = try members()
    guard members.count == 2 else { throw mistake("two policies") }
    return make(members[0], members[1])
  }

  func withNumber(
    atLeast least: Double, _ make: (any FetchPolicy, Double) -> any FetchPolicy
  ) throws(PolicyTextError) -> any FetchPolicy {
    guard arguments.count == 2, case .policy(let call) = arguments[0],
      case .number(let number) = arguments[1], number >= least
    else { throw mistake("a policy and a number from \(least) on") }
    return make(try BuiltInPolicies.policy(call), number)
  }

  private func mistake(_ expected: String) -> PolicyTextError {
    PolicyTextError(text: name, problem: .arguments(expected: expected))
  }
}
