/// Sources: how a script declares them, and what they can do.
extension APIDescription {
  static let sourceClasses = [
    APIClass("SourceKeys", "lookahead.source", .keys, "The definition of a source.", fields: sourceKeys),
    APIClass(
      "Source", "source", .object, parent: "SourceKeys",
      "Paged data; its keys can be set until it is read.",
      fields: [APIField("prefetcher: Prefetcher", "The details of its items, if it has `prefetchItem`.")],
      methods: [
        APIFunction(
          "items(): async fun(): any", waits: true,
          "Iterates over items; the loop is the reader, so its position drives the policy.",
          example: """
            local letters = lookahead.source { fetch = function() return { items = { { id = "a" }, { id = "b" } } } end }
            for item in letters:items() do print(item.id) end
            """),
        APIFunction("pages(): async fun(): any[]", waits: true, "Iterates over pages, each a list of items."),
        APIFunction(
          "with(parameters: table<string, any>): Source",
          "The same source with other parameters, which its handler finds in `context.parameters`."),
        APIFunction(
          "partitions(parents: any[]|Source, parametersOf: fun(parent: any): table<string, any>, options?: PartitionKeys): Partitions",
          "A reading for each parent, remembered apart: a script returns it to have all of them read.",
          example: """
            local rows = lookahead.source { fetch = function(context)
              return { items = { { id = context.parameters.shop .. "-1" } } }
            end }
            return rows:partitions({ "a", "b" }, function(shop) return { shop = shop } end)
            """),
        APIFunction("itemSet(): ItemSet", "An ordered set of unique items that fetches on request."),
      ]),
    APIClass(
      "Partitions", "partitions", .object, "What `source:partitions` returns, for the script to return."),
    APIClass(
      "EachKeys", "lookahead.each", .keys, "How the elements of a list become steps.",
      fields: [
        APIField("key: fun(element: any): ID", "The name of an element's step; the same in every run."),
        APIField("limit?: integer = 8", "Steps at a time."),
      ]),
    APIClass(
      "PartitionKeys", "source:partitions", .keys, "How partitions are read.",
      fields: [
        APIField(
          "limit?: integer = 8",
          "Partitions that are read at a time. Beyond 256 another is begun where there is nothing else to do."
        )
      ]),
    APIClass(
      "BackoffKeys", "lookahead.source.backoff", .keys,
      "How long to wait before a failed fetch is retried.",
      fields: [
        APIField("base?: number = 0.5", "Seconds before the first retry; doubled for each further one."),
        APIField("cap?: number = 30", "The longest wait in seconds."),
        APIField(
          "jitter?: \"equal\"|\"full\"|\"none\" = \"equal\"",
          "Whether the wait is random between half and all of that, or between zero and all."),
      ]),
    APIClass(
      "RateKeys", "lookahead.source.rateLimit", .keys, "At most `requests` requests in any `per` seconds.",
      fields: [
        APIField("requests?: number = 1", "How many."),
        APIField("per?: number = 1", "The period in seconds."),
      ]),
    APIClass(
      "NeedKeys", "lookahead.source.needs", .keys, "The permissions a source needs.",
      fields: [
        APIField("net?: string[]", "Hosts."), APIField("read?: string[]", "Files and folders to read."),
        APIField("write?: string[]", "Files and folders to write."),
        APIField("env?: string[]", "Environment variables."),
      ]),
  ]

  private static let sourceKeys = [
    APIField(
      "fetch?: async fun(context: Context): Page?",
      "The fetch handler: returns a page, or appends items and completes."),
    APIField(
      "name?: string = the file's name",
      "Its name in reports, and that of its stream: a table, or a file in a folder."),
    APIField(
      "id?: string|string[]|false|fun(item: any): ID = \"id\"",
      "The field that identifies an item, several, or a function that returns its id; false if items have none."
    ),
    APIField(
      "keys?: \"cursor\"|\"page\"|\"offset\" = \"cursor\"",
      "How pages are found: by a key in the previous page, or counted by the host, several in flight."),
    APIField(
      "firstKey?: Key = nil, 1 or 0",
      "The key of the first page: nil for cursor, 1 for page, 0 for offset; 1 where a server counts from there."
    ),
    APIField("pageSize?: integer = 20", "Items to request per fetch."),
    APIField("initialPageSize?: integer = pageSize", "Items to request with the first fetch."),
    APIField("leadingScreens?: number = 2", "Fetch when no more viewports than this remain."),
    APIField(
      "prefetchDistance?: integer", "Fetch when fewer items than this remain; overrides `leadingScreens`."),
    APIField(
      "shouldBatchFetch?: fun(view: View): boolean|Verdict",
      "The source's own policy, called after every change."),
    APIField("policy?: PolicyLike", "A policy, instead of `shouldBatchFetch`."),
    APIField(
      "maxInFlight?: integer = 1 or 4",
      "Fetches at once: 1 for cursor; for counted keys 4 for a person, and in a run what the server takes, up to 32."
    ),
    APIField("merge?: \"keep\"|\"replace\" = \"keep\"", "What happens to an item whose id is already held."),
    APIField(
      "maxItems?: integer = no limit",
      "Maximum items held; pages far from the reader are dropped and fetched again."),
    APIField("transform?: fun(item: any): any", "Returns the item to keep, nil to drop it, or a list."),
    APIField(
      "prefetchItem?: async fun(id: ID, context: PrefetchContext): any",
      "Fetches the details of one item, ahead of its display."),
    APIField("timeout?: number = 30", "Seconds that a request may take."),
    APIField(
      "retries?: integer = 10",
      "How often a transient failure is retried; left out, an HTTP request for 4 minutes at most."),
    APIField("backoff?: BackoffKeys", "How long to wait before a retry; `Retry-After` is respected."),
    APIField("rateLimit?: RateKeys = no limit", "At most `requests` requests in any `per` seconds."),
    APIField(
      "bookmark?: string|fun(item: any, bookmark?: any): any",
      "What the next reading wants to know: the greatest value of a field, or what a function makes of items."
    ),
    APIField(
      "write?: \"merge\"|\"mirror\"|\"append\" = \"merge\"",
      "What a new reading does to the output: update by id, remove what is gone too, or keep all readings."),
    APIField(
      "types?: table<string, string>",
      "Types of columns in databases: timestamp, date, integer, double, boolean, text, json, decimal(18,2)."
    ),
    APIField(
      "isRemoved?: fun(item: any): boolean",
      "Whether an item says that it is gone from the source: null, 0 and an empty text do not."),
    APIField(
      "onExpired?: \"restart\"|\"fail\" = \"restart\"",
      "What happens if the source no longer takes the cursor from which a reading goes on."),
    APIField(
      "resumes?: boolean = true",
      "Whether a stopped reading goes on where it was; false for cursors that work once, as those of a scroll."
    ),
    APIField("needs?: NeedKeys", "The permissions it needs, shown to the user."),
    APIField("parameters?: table<string, any>", "What the handler finds in `context.parameters`."),
  ]
}
