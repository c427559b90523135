/// Policies: when to fetch.
extension APIDescription {
  static let policies = APIModule(
    "lookahead.policy", "Policies: those built in, those of a script, and ways to combine them.",
    call: APIFunction(
      "policy(keys: PolicyKeys): Policy", "Declares a scripted policy.",
      example: """
        return lookahead.policy {
          name = "near the edge", parameters = { items = 10 },
          shouldBatchFetch = function(view, parameters) return view.remainingItems < parameters.items end,
        }
        """),
    functions: [
      APIFunction(
        "leadingScreens(screens?: number): Policy",
        "Fetches when no more viewports than this remain before the edge; 2 by default.",
        example: "return lookahead.policy.leadingScreens(3)"),
      APIFunction(
        "prefetchDistance(items: integer): Policy",
        "Fetches when fewer items than this remain before the edge.",
        example: "return lookahead.policy.prefetchDistance(40)"),
      APIFunction(
        "remainingTime(seconds: number): Policy",
        "Fetches when the reader, at its current speed, will reach the edge within this many seconds.",
        example: "return lookahead.policy.remainingTime(2)"),
      APIFunction(
        "ramp(): Policy",
        "Doubles what it fetches ahead while the reader moves sequentially, like Linux readahead.",
        example: "return lookahead.policy.ramp()"),
      APIFunction(
        "majority(): Policy",
        "Fetches ahead in the direction of most recent moves, as Leap does for memory.",
        example: "return lookahead.policy.majority()"),
      APIFunction(
        "everything(): Policy", "Fetches until the source is exhausted.",
        example: "return lookahead.policy.everything()"),
      APIFunction(
        "onDemand(): Policy", "Fetches only when the reader has nothing left to see.",
        example: "return lookahead.policy.onDemand()"),
      APIFunction(
        "anyOf(first: PolicyLike|PolicyLike[], ...: PolicyLike): Policy",
        "Fetches when any of its policies would.",
        example: "return lookahead.policy.anyOf(lookahead.policy.leadingScreens(1), \"remainingTime(2)\")"),
      APIFunction(
        "allOf(first: PolicyLike|PolicyLike[], ...: PolicyLike): Policy",
        "Fetches when all of its policies would.",
        example: "return lookahead.policy.allOf(lookahead.policy.leadingScreens(4), \"remainingTime(2)\")"),
      APIFunction(
        "notWhile(policy: PolicyLike, exception: PolicyLike): Policy",
        "Fetches when the first would, except while the second would.",
        example: """
          local policy = lookahead.policy
          return policy.notWhile(policy.leadingScreens(2), function(view) return view.errorStreak > 3 end)
          """),
      APIFunction(
        "hysteresis(policy: PolicyLike, screens: number): Policy",
        "Starts when the policy would, and continues until this many screens remain.",
        example: "return lookahead.policy.hysteresis(lookahead.policy.leadingScreens(1), 4)"),
      APIFunction(
        "atMost(rate: number, policy: PolicyLike): Policy",
        "Limits the policy to this many fetches per second.",
        example: "return lookahead.policy.atMost(5, lookahead.policy.everything())"),
    ])

  static let policyClasses = [
    APIClass(
      "PolicyKeys", "lookahead.policy", .keys, "The definition of a policy.",
      fields: [
        APIField(
          "shouldBatchFetch: fun(view: View, parameters: table<string, any>, state: any): boolean|Verdict",
          "Whether to fetch now; it must not wait."),
        APIField(
          "start?: fun(parameters: table<string, any>): any",
          "Makes the state that each feed, and each session of the lab, has of its own."),
        APIField("name?: string", "Its name in reports and traces."),
        APIField(
          "parameters?: table<string, any>", "Tunable numbers: `--set items=5,10` in the lab."),
        APIField("help?: string", "What it is for."),
      ]),
    APIClass(
      "Policy", "policy", .object, "When to fetch; a source's `policy`.",
      fields: [APIField("name?: string", "Its name in reports.")]),
    APIClass(
      "Verdict", "verdict", .keys, "What a policy may return instead of true or false.",
      fields: [
        APIField("fetch?: integer|boolean = 0", "Pages to fetch now."),
        APIField("direction?: \"append\"|\"prepend\"|\"refresh\" = \"append\"", "Which end grows."),
        APIField("wait?: number", "Seconds until it is asked again."),
        APIField(
          "cancel?: boolean = false", "Cancels the fetches in flight. Then the policy is asked again."),
        APIField("reason?: string", "The reason, for traces and notes."),
      ]),
    APIClass(
      "View", "view", .object,
      "What a policy can see; the table is reused, so do not keep it, and it cannot be written.",
      fields: viewFields),
    APIClass(
      "Latency", "view.latency", .object, "Recent fetch latencies, in seconds.",
      fields: [
        APIField("last: number", "The latest."), APIField("mean: number", "The mean."),
        APIField("p50: number", "The median."),
        APIField("p95: number", "The 95th percentile."),
        APIField("count: integer", "Number of fetches included."),
      ]),
  ]

  private static let viewFields = [
    APIField("now: number", "Seconds since the run began."),
    APIField("firstVisible: integer", "The first item in the viewport, from 1."),
    APIField("lastVisible: integer", "The last one."),
    APIField("itemCount: integer", "Items loaded."),
    APIField(
      "totalCount?: integer",
      "Items in the source, if it reports a total; in the lab, one with counted keys does, one with cursors does not."
    ),
    APIField("remainingItems: integer", "Items between the viewport and the edge."),
    APIField("remainingScreens: number", "The same in viewports."),
    APIField("remainingTime: number", "Seconds to the edge at this velocity; `math.huge` when still."),
    APIField("velocity: number", "Items per second; negative towards the start."),
    APIField("direction: \"append\"|\"prepend\"|\"refresh\"", "Which end would grow."),
    APIField("isVisible: boolean", "Whether anyone is looking."),
    APIField("inFlight: integer", "Fetches in flight."),
    APIField("isFetching: boolean", "Whether a fetch is in flight."),
    APIField("isExhausted: boolean", "Whether there are no more pages in that direction."),
    APIField("latency: Latency", "Recent fetch latencies."),
    APIField("pageSize: integer", "Items requested per fetch."),
    APIField("pageYield: number", "New items per page, recently."),
    APIField("errorStreak: integer", "Consecutive failed fetches."),
    APIField("fetches: integer", "Fetches made so far."),
    APIField("leadingScreens: number", "The source's setting."),
    APIField("hint: boolean", "What the built-in rule would do."),
    APIField("hintReason: string", "The reason, such as `withinTrigger`."),
  ]
}
