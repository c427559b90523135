/// The policies built into Lookahead, by name.
public enum BuiltInPolicies {
  /// The accepted texts, with their arguments.
  public static let names = [
    "leadingScreens", "prefetchDistance", "remainingTime", "ramp", "majority", "everything", "onDemand",
    "anyOf", "allOf", "notWhile", "hysteresis", "atMost",
  ]

  /// The policy for a text such as `ramp`, `leadingScreens(3)` or `anyOf(onDemand, remainingTime(1.5))`.
  public static func policy(_ text: String) throws(PolicyTextError) -> any FetchPolicy {
    var parser = PolicyText(text)
    let call = try parser.parse()
    return try policy(call)
  }

  /// The policy with this name and numeric arguments.
  public static func policy(_ name: String, _ numbers: [Double]) throws(PolicyTextError) -> any FetchPolicy {
    try policy(PolicyCall(name: name, arguments: numbers.map { .number($0) }))
  }

  /// The parameter of a policy that takes one number, which a sweep can set: `screens` of `leadingScreens`, `items` of
  /// `prefetchDistance`, `seconds` of `remainingTime`, `maxPages` of `ramp` and `majority`; nil for any other policy.
  public static func parameter(
    of text: String
  ) throws(PolicyTextError) -> (policy: String, name: String, value: Double)? {
    var parser = PolicyText(text)
    let call = try parser.parse()
    guard call.arguments.count < 2 else { return nil }
    let known: (name: String, value: Double)? =
      switch call.name {
      case "leadingScreens": ("screens", 2)
      case "prefetchDistance": ("items", 20)
      case "remainingTime": ("seconds", 1)
      case "ramp", "majority": ("maxPages", 8)
      default: nil
      }
    guard let (name, standard) = known else { return nil }
    return (call.name, name, try call.number(default: standard, atLeast: 0) ?? standard)
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

/// Fetches when no more than this many viewports remain: Texture's rule, the default of feeds.
public struct LeadingScreens: FetchPolicy, Sendable {
  /// Nil is the source's own setting.
  public let screens: Double?

  public init(_ screens: Double? = nil) { self.screens = screens }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let decision = view.decision(leadingScreens: screens ?? view.leadingScreens)
    return Verdict(decision.shouldFetch, reason: decision.reason.explanation)
  }

  public func deadZone(around view: PolicyView) -> DeadZone? {
    let screens = screens ?? view.leadingScreens
    if view.isFull || screens <= 0 || view.viewportLength == 0 || !view.isVisible {
      return view.wholeZone
    }
    return view.deadZone(within: view.expectedRemaining - view.viewportLength * screens) {
      !$0.decision(leadingScreens: screens).shouldFetch
    }
  }
}

/// Fetches when the edge is less than this many seconds away at the current speed, or already in sight.
public struct RemainingTime: FetchPolicy, Sendable {
  /// How near in time triggers.
  public let seconds: Double

  public init(seconds: Double) { self.seconds = seconds }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if view.isFull { return Verdict(false, reason: "a fetch is in flight") }
    if view.isUnfilled { return Verdict(true, reason: "the edge is in sight") }
    guard view.isVisible, view.approach > 0 else {
      return Verdict(false, reason: "the edge does not come nearer")
    }
    let time = view.expectedRemaining / view.approach
    return time < seconds
      ? Verdict(true, reason: "the edge is near in time") : Verdict(false, reason: "the edge is far in time")
  }

  /// As far as the reader gets at the present speed.
  public func deadZone(around view: PolicyView) -> DeadZone? {
    if view.isFull { return view.wholeZone }
    guard view.isVisible else { return view.filledZone }
    let speed = max(0, view.approach)
    guard var zone = view.filledZone, view.expectedRemaining >= seconds * speed else { return nil }
    let distance = Int(min(1e9, view.expectedRemaining - seconds * speed)) - 1
    guard distance >= 0 else { return nil }
    if view.direction == .prepend {
      zone.firstVisible = max(zone.firstVisible.lowerBound, view.firstVisible - distance)...Int.max
      zone.velocity = -speed...Double.infinity
    } else {
      zone.firstVisible = Int.min...view.firstVisible + distance
      zone.velocity = -Double.infinity...speed
    }
    return zone
  }
}

/// Fetches when fewer than this many items remain, counting those in flight: the rule of Jetpack's Paging 3.
public struct PrefetchDistance: FetchPolicy, Sendable {
  /// How near in items triggers.
  public let items: Int

  public init(_ items: Int) { self.items = items }

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    let decision = view.decision(distance: items)
    return Verdict(decision.shouldFetch, reason: decision.reason.explanation)
  }

  public func deadZone(around view: PolicyView) -> DeadZone? {
    var zone = view.wholeZone
    if view.isFull { return zone }
    let distance = view.remainingItems + view.expectedItems - items
    guard distance >= 0 else { return nil }
    if view.direction == .prepend {
      zone.firstVisible = view.firstVisible - distance...Int.max
    } else {
      zone.lastVisible = view.lastVisible + distance
    }
    return zone
  }
}

/// Fetches everything, as fast as possible.
public struct Everything: FetchPolicy, Sendable {
  public init() {}

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    Verdict(fetch: max(0, view.freeSlots), reason: "everything")
  }

  public func deadZone(around view: PolicyView) -> DeadZone? { view.isFull ? view.wholeZone : nil }
}

/// Fetches only what the reader is already waiting for.
public struct OnDemand: FetchPolicy, Sendable {
  public init() {}

  public mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
    if view.isFull { return Verdict(false, reason: "a fetch is in flight") }
    return view.isUnfilled
      ? Verdict(true, reason: "the edge is in sight") : Verdict(false, reason: "the edge is not in sight")
  }

  public func deadZone(around view: PolicyView) -> DeadZone? {
    view.isFull ? view.wholeZone : view.filledZone
  }
}

extension PolicyView {
  /// Whether the viewport reaches the edge, counting everything in flight. Before the first item only a viewport that
  /// shows something counts: a reader at the top is not waiting for anything.
  var isUnfilled: Bool {
    if direction == .prepend {
      let distance = firstVisible + expectedItems
      return isVisible && (distance < 0 || distance == 0 && approach > 0)
    }
    return lastVisible >= expectedCount - 1 || Double(expectedCount) < viewportLength
  }

  /// The viewports that don't reach the edge either; nil if this one does.
  var filledZone: DeadZone? {
    guard !isUnfilled else { return nil }
    var zone = wholeZone
    if direction == .prepend {
      zone.firstVisible = (isVisible ? 1 - expectedItems : Int.min)...Int.max
      return zone.firstVisible.contains(firstVisible) ? zone : nil
    }
    zone.lastVisible = expectedCount - 2
    return zone
  }
}
