/// Policies: when to fetch.
extension APIDescription {
  static let policies = APIModule(
    "lookahead.policy", "Policies: those built in, those of a script, and ways to combine them.",
    call: APIFunction(
      "policy(keys: PolicyKeys): Policy", "Declares a policy of the script's own.",
      example: """
        return lookahead.policy {
          name = "near the edge", parameters = { items = 10 },
          shouldBatchFetch = function(view, parameters) return view.remainingItems < parameters.items end,
        }
        """),
    functions: [
      APIFunction(
        "leadingScreens(screens?: number): Policy",
        "Fetches when fewer viewports than that remain before the edge; 2 unless said otherwise.",
        example: "return lookahead.policy.leadingScreens(3)"),
      APIFunction(
        "prefetchDistance(items: integer): Policy",
        "Fetches when no more items than that remain before the edge.",
        example: "return lookahead.policy.prefetchDistance(40)"),
      APIFunction(
        "remainingTime(seconds: number): Policy",
        "Fetches when the reader, at its speed, is at the edge within so many seconds.",
        example: "return lookahead.policy.remainingTime(2)"),
      APIFunction(
        "ramp(): Policy",
        "Doubles what it fetches ahead while a reader goes on in order, as Linux reads files ahead.",
        example: "return lookahead.policy.ramp()"),
      APIFunction(
        "majority(): Policy",
        "Fetches ahead in the direction that most of the last moves had, as Leap does for memory.",
        example: "return lookahead.policy.majority()"),
      APIFunction(
        "everything(): Policy", "Fetches until the source is exhausted.",
        example: "return lookahead.policy.everything()"),
      APIFunction(
        "onDemand(): Policy", "Fetches only when the reader has nothing left.",
        example: "return lookahead.policy.onDemand()"),
      APIFunction(
        "anyOf(first: PolicyLike|PolicyLike[], ...: PolicyLike): Policy",
        "Fetches when one of its policies would.",
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
        "Begins when the policy would, and goes on until so many screens remain.",
        example: "return lookahead.policy.hysteresis(lookahead.policy.leadingScreens(1), 4)"),
      APIFunction(
        "atMost(rate: number, policy: PolicyLike): Policy",
        "The policy, with no more fetches per second than that.",
        example: "return lookahead.policy.atMost(5, lookahead.policy.everything())"),
    ])

  static let policyClasses = [
    APIClass(
      "PolicyKeys", "lookahead.policy", .keys, "What a policy is made of.",
      fields: [
        APIField(
          "shouldBatchFetch: fun(view: View, parameters: table<string, any>): boolean|Verdict",
          "Whether to fetch now; it cannot wait."),
        APIField("name?: string", "What reports and traces call it."),
        APIField(
          "parameters?: table<string, any>", "Numbers that can be turned: `--set items=5,10` in the lab."),
        APIField("help?: string", "What it is for."),
      ]),
    APIClass(
      "Policy", "policy", .object, "When to fetch; a source takes it as `policy`.",
      fields: [APIField("name?: string", "What reports call it.")]),
    APIClass(
      "Verdict", "verdict", .keys, "What a policy may answer instead of true or false.",
      fields: [
        APIField("fetch?: integer|boolean = 0", "Pages to fetch now."),
        APIField("direction?: \"append\"|\"prepend\"|\"refresh\" = \"append\"", "Which end grows."),
        APIField("wait?: number", "Seconds after which it wants to be asked again."),
        APIField("cancel?: boolean = false", "Gives up the fetches under way."),
        APIField("reason?: string", "Why; traces and notes show it."),
      ]),
    APIClass(
      "View", "view", .object,
      "What a policy may look at; a table that is used again, so read it and do not keep it.",
      fields: viewFields),
    APIClass(
      "Latency", "view.latency", .object, "How long fetches took lately, in seconds.",
      fields: [
        APIField("last: number", "The newest."), APIField("mean: number", "The mean."),
        APIField("p50: number", "The median."),
        APIField("p95: number", "All but one in twenty were faster."),
        APIField("count: integer", "How many are known."),
      ]),
  ]

  private static let viewFields = [
    APIField("now: number", "Seconds since the run began."),
    APIField("firstVisible: integer", "The first item in the viewport, from 1."),
    APIField("lastVisible: integer", "The last one."),
    APIField("itemCount: integer", "Items that are there."),
    APIField("totalCount?: integer", "Items that the source has, where it said so."),
    APIField("remainingItems: integer", "Items between the viewport and the edge."),
    APIField("remainingScreens: number", "The same in viewports."),
    APIField("remainingTime: number", "Seconds to the edge at this velocity; `math.huge` when still."),
    APIField("velocity: number", "Items per second; negative towards the start."),
    APIField("direction: \"append\"|\"prepend\"|\"refresh\"", "Which end would grow."),
    APIField("isVisible: boolean", "Whether anybody looks."),
    APIField("inFlight: integer", "Fetches under way."),
    APIField("isFetching: boolean", "Whether there are any."),
    APIField("isExhausted: boolean", "Whether there are no more pages that way."),
    APIField("latency: Latency", "How long fetches took lately."),
    APIField("pageSize: integer", "Items asked for with each fetch."),
    APIField("pageYield: number", "New items per page, lately."),
    APIField("errorStreak: integer", "Fetches that failed since the last that did not."),
    APIField("fetches: integer", "Fetches made so far."),
    APIField("leadingScreens: number", "What the source says."),
    APIField("hint: boolean", "What the built-in rule would do."),
    APIField("hintReason: string", "Why, as `withinTrigger`."),
  ]
}
