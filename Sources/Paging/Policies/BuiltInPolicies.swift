/// The policies that come with Lookahead, by name.
public enum BuiltInPolicies {
  /// What a text may be, with its arguments.
  public static let names = [
    "leadingScreens", "prefetchDistance", "remainingTime", "ramp", "majority", "everything", "onDemand",
    "anyOf", "allOf", "notWhile", "hysteresis", "atMost",
  ]

  /// The policy that a text stands for, as `ramp`, `leadingScreens(3)` or `anyOf(onDemand,
  /// remainingTime(1.5))`.
  public static func policy(_ text: String) throws(PolicyTextError) -> any FetchPolicy {
    var parser = PolicyText(text)
    let call = try parser.parse()
    return try policy(call)
  }

  /// The policy of that name with numbers as arguments.
  public static func policy(_ name: String, _ numbers: [Double]) throws(PolicyTextError) -> any FetchPolicy {
    try policy(PolicyCall(name: name, arguments: numbers.map { .number($0) }))
  }

  static func policy(_ call: PolicyCall) throws(PolicyTextError) -> any FetchPolicy {
    switch call.name {
    case "leadingScreens": LeadingScreens(try call.number(default: nil, atLeast: 0))
    case "prefetchDistance": PrefetchDistance(try call.count(default: nil))
    case "remainingTime": RemainingTime(seconds: try call.required(atLeast: 0))
    case "ramp": Ramp(maxPages: try call.count(default: 8))
    case "majority": MajorityTrend(maxPages: try call.count(default: 8))
    case "everything": try call.alone(Everything())
    case "onDemand": try call.alone(OnDemand())
    case "anyOf": AnyOf(try call.members())
    case "allOf": AllOf(try call.members())
    case "notWhile": try call.pair { NotWhile($0, blocker: $1) }
    case "hysteresis": try call.withNumber(atLeast: 0) { Hysteresis($0, until: $1) }
    case "atMost": try call.withNumber(atLeast: 1e-6) { AtMost($0, rate: $1) }
    default: throw PolicyTextError(text: call.name, problem: .unknownName(known: names))
    }
  }
}
