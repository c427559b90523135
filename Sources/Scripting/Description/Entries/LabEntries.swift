/// The lab: policies compared in virtual time.
extension APIDescription {
  static let lab = APIModule(
    "lookahead.lab", "The lab: experiments in virtual time.",
    functions: [
      APIFunction(
        "run(experiment: Experiment): Result", waits: true, "Runs an experiment in virtual time.",
        details:
          "Available in `lookahead run`; a script that returns an experiment is run by `lookahead lab`.",
        example: """
          local result = lookahead.lab.run(lookahead.experiment { policies = { "onDemand", "ramp" }, sessions = 10 })
          for _, row in ipairs(result.rows) do lookahead.emit { policy = row.policy, stall = row.stall.mean } end
          """)
    ])

  static let labClasses = [
    APIClass(
      "WorkloadKeys", "lookahead.workload", .keys, "How readers scroll; each kind has its own numbers.",
      fields: workloadKeys),
    APIClass("Workload", "workload", .object, "How simulated readers scroll; its keys can be read."),
    APIClass(
      "NetworkKeys", "lookahead.network", .keys, "The network between a reader and a source.",
      fields: [
        APIField("name?: string", "Its name in reports."),
        APIField(
          "latency?: number|number[]|LatencyLaw|Conditions[]|string = \"lognormal:0.35,0.5\"",
          "Seconds, a list of measurements, a distribution, a sequence of conditions, or a text."
        ),
        APIField("contents?: string", "The contents of the file that a latency text names."),
        APIField("bandwidth?: number = no limit", "Bytes per second."),
        APIField("bytesPerItem?: number = 1000", "Bytes of an item."),
        APIField(
          "sharing?: \"fair\"|\"queue\"",
          "Whether responses share the bandwidth; fair with details or several sources."),
        APIField(
          "bytesPerDetail?: number", "Bytes of an item's details, such as an image; none unless given."),
        APIField(
          "cache?: number", "The share of pages that a cache has from before; it keeps what was fetched."),
        APIField("cacheLatency?: number = 0.005", "Seconds that the cache takes."),
        APIField("loss?: number = 0", "The share of requests that are never answered."),
        APIField("errors?: number = 0", "The share of requests that are answered with an error."),
        APIField("timeout?: number = 10", "Seconds after which a lost request times out."),
        APIField("rateLimit?: RateKeys", "The server's rate limit."),
      ]),
    APIClass(
      "LatencyLaw", "lookahead.network.latency", .keys,
      "A distribution of latencies: `median` and `sigma`, `low` and `high`, `mean`, or a file.",
      fields: [
        APIField("median?: number", "Of a lognormal distribution, in seconds."),
        APIField("sigma?: number", "The spread of its logarithm."),
        APIField("low?: number", "Of a uniform distribution, in seconds."),
        APIField("high?: number", "The same."),
        APIField("mean?: number", "Of an exponential distribution, in seconds."),
        APIField("file?: string", "A file of measured latencies."),
      ]),
    APIClass(
      "Conditions", "lookahead.network.conditions", .keys, "A network during some time.",
      fields: [
        APIField("seconds: number", "How long."), APIField("bandwidth: number", "Bytes per second."),
        APIField("latency: number", "Seconds."),
      ]),
    APIClass(
      "Network", "network", .object,
      "The network between a simulated reader and a source; its keys can be read."),
    APIClass(
      "ExperimentKeys", "lookahead.experiment", .keys, "What to compare.", fields: experimentKeys),
    APIClass(
      "CostKeys", "lookahead.experiment.costs", .keys,
      "What each metric costs, to combine them into one number.",
      fields: [
        APIField("stall?: number = 1", "A second of waiting."),
        APIField("event?: number = 0", "Having to wait at all."),
        APIField("request?: number = 0", "A request."), APIField("waste?: number = 0", "An item never seen."),
        APIField("memory?: number = 0", "An item held for a second."),
        APIField("bytes?: number = 0", "A megabyte received."),
        APIField("energy?: number = 0", "A joule of the radio."),
        APIField("left?: number = 0", "A reader who leaves while waiting."),
      ]),
    APIClass("Experiment", "experiment", .object, "What to compare; its keys can be read."),
    APIClass(
      "Result", "result", .object, "The result of an experiment.",
      fields: [
        APIField("title: string", "What was compared."),
        APIField("finding: string", "Its main finding, in one sentence."),
        APIField("baseline: string", "The policy the others are compared with."),
        APIField(
          "rows: table<string, any>[]",
          "One for each policy, workload and network: means, intervals, quantiles."),
        APIField("sessions: table<string, any>[]", "The individual sessions."),
      ],
      methods: [
        APIFunction(
          "compare(policy: string, other: string): table<string, any>",
          "Two policies session by session, by their names in the rows."),
        APIFunction("report(path: string)", needs: .write, "Writes the report as one HTML file."),
      ], subscriptText: "[string]: any"),
  ]

  private static let experimentKeys = [
    APIField("title?: string", "The title of the report."),
    APIField(
      "sources?: Source|Source[]",
      "Sources, for their page sizes and policies; by default a typical one."),
    APIField("policies?: PolicyLike|PolicyLike[]", "The policies to compare."),
    APIField(
      "workloads?: Workload|string|(Workload|string)[]",
      "How readers scroll; texts such as `fling:items=2000` or `3 fling + 1 trace:FOLDER`."),
    APIField("networks?: Network|string|(Network|string)[]", "The networks; texts such as `fixed:0.1`."),
    APIField(
      "paired?: boolean = false",
      "The first reader meets the first network only, and so on; else all meet all."),
    APIField(
      "together?: boolean = false", "All sources are read at once, on one link, each by a reader of its own."),
    APIField("sessions?: integer = 200", "Sessions per row, the same for all policies."),
    APIField("seed?: integer = 1", "The random seed; equal seeds give equal results."),
    APIField("costs?: CostKeys", "What each metric costs."),
    APIField("set?: table<string, number|number[]>", "Values of parameters: every combination is a row."),
    APIField(
      "baseline?: string|Policy", "The policy the others are compared with; by default the first."),
  ]

  private static let workloadKeys =
    [
      APIField("name?: string", "Its name in reports."),
      APIField(
        "kind?: \"fling\"|\"reader\"|\"skimmer\"|\"searcher\"|\"jumper\"|\"quitter\"|\"steady\"|\"trace\"|\"balabit\" = \"fling\"",
        "The reader model."),
      APIField("items?: integer = no end", "Items of the source."),
      APIField("viewport?: number = 7", "Items visible at once."),
      APIField(
        "platform?: \"ios\"|\"android\" = \"ios\"", "Whose fling physics to use, for the kinds that fling."),
      APIField("file?: string", "The recording, or a folder of them, for the kinds trace and balabit."),
      APIField("contents?: string", "The contents of the recording."),
      APIField(
        "patience?: number = for ever", "Seconds that a reader waits at a time before it leaves, the median."),
      APIField("patienceSigma?: number = 0", "The spread of its logarithm."),
      APIField(
        "edge?: \"stops\"|\"resumes\" = \"resumes\"",
        "Whether a fling dies at the edge of what is held; for the kinds that fling."),
      APIField("itemsPerTick?: number", "Items per tick of the wheel, for the kind balabit."),
    ]
    + [
      ("flings", "flings per session, the mean"), ("quit", "the chance of leaving after a fling"),
      ("reverse", "the chance of going back"),
      ("speed", "the speed, in dp/s for flings and items per second otherwise"),
      ("speedSigma", "the spread of its logarithm"), ("maxSpeed", "the fastest fling in dp/s"),
      ("stop", "the speed in dp/s at which a fling is over"),
      ("rate", "the part of its speed that a fling keeps per ms"),
      ("itemHeight", "the height of an item in dp"),
      ("dwellMu", "the mean logarithm of the seconds spent on an item"),
      ("dwell", "the median seconds of a rest"), ("dwellSigma", "the spread of its logarithm"),
      ("dwellItems", "items looked at in a rest"), ("count", "items read, or glides, the mean"),
      ("seconds", "the length of a glide or a session"), ("searches", "things looked for, the mean"),
      ("far", "items to the next thing, the mean"), ("pause", "seconds between two flings of a search"),
      ("back", "items per second of the way back"), ("study", "seconds spent on a thing found"),
      ("jumps", "jumps per session, the mean"), ("around", "flings after a jump, the mean"),
      ("first", "the item that the session begins at"),
    ].map { name, meaning in APIField("\(name)?: number", "A number of the kind: \(meaning).") }
}
