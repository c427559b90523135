extension ExperimentPolicy {
  /// The built-in policy that a text stands for. The number of a policy that takes one is a parameter: `screens` of
  /// `leadingScreens`, `items` of `prefetchDistance`, `seconds` of `remainingTime`, `maxPages` of `ramp` and `majority`.
  public init(builtIn text: String) throws(PolicyTextError) {
    var parser = PolicyText(text)
    let call = try parser.parse()
    guard let (parameter, standard) = Self.parameter(of: call.name), call.arguments.count < 2 else {
      _ = try BuiltInPolicies.policy(call)
      self.init(name: text) { _ in try BuiltInPolicies.policy(call) }
      return
    }
    let number = try call.number(default: standard, atLeast: 0) ?? standard
    _ = try BuiltInPolicies.policy(call.name, [number])
    self.init(name: text, parameters: [parameter: number]) { values in
      try BuiltInPolicies.policy(call.name, [values[parameter] ?? number])
    }
  }

  private static func parameter(of name: String) -> (String, Double)? {
    switch name {
    case "leadingScreens": ("screens", 2)
    case "prefetchDistance": ("items", 20)
    case "remainingTime": ("seconds", 1)
    case "ramp", "majority": ("maxPages", 8)
    default: nil
    }
  }
}
