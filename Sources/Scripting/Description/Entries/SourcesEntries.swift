/// Sources: how a script declares them, and what they can do.
extension APIDescription {
  static let sourceClasses = [
    APIClass("SourceKeys", "lookahead.source", .keys, "What a source is made of.", fields: sourceKeys),
    APIClass(
      "Source", "source", .object, parent: "SourceKeys",
      "Data that are there page by page; its keys can be set until it is read.",
      fields: [APIField("prefetcher: Prefetcher", "The details of its items, where it has `prefetchItem`.")],
      methods: [
        APIFunction(
          "items(): async fun(): any", waits: true,
          "Iterates over items; the loop is the reader, so its place drives the policy.",
          example: """
            local letters = lookahead.source { fetch = function() return { items = { { id = "a" }, { id = "b" } } } end }
            for item in letters:items() do print(item.id) end
            """),
        APIFunction("pages(): async fun(): any[]", waits: true, "Iterates over pages, each a list of items."),
        APIFunction(
          "with(parameters: table<string, any>): Source",
          "The same source for other parameters, which its handler finds in `context.parameters`."),
        APIFunction("itemSet(): ItemSet", "An ordered set of unique items that fetches when told to."),
      ]),
    APIClass(
      "BackoffKeys", "lookahead.source.backoff", .keys,
      "How long a failed fetch waits before it is tried again.",
      fields: [
        APIField("base?: number = 0.5", "Seconds before the first retry; each next one waits twice as long."),
        APIField("cap?: number = 30", "The longest wait in seconds."),
        APIField(
          "jitter?: \"equal\"|\"full\"|\"none\" = \"equal\"",
          "Whether the wait is drawn between half of that and that, or between nothing and that."),
      ]),
    APIClass(
      "RateKeys", "lookahead.source.rateLimit", .keys, "So many requests in so many seconds.",
      fields: [
        APIField("requests?: number = 1", "How many."), APIField("per?: number = 1", "In how many seconds."),
      ]),
    APIClass(
      "NeedKeys", "lookahead.source.needs", .keys, "What a source asks to be granted.",
      fields: [
        APIField("net?: string[]", "Hosts."), APIField("read?: string[]", "Files and folders to read."),
        APIField("write?: string[]", "Files and folders to write."),
        APIField("env?: string[]", "Variables of the environment."),
      ]),
  ]

  private static let sourceKeys = [
    APIField(
      "fetch?: async fun(context: Context): Page?",
      "The fetch handler: returns a page, or appends items and completes."),
    APIField("name?: string = the file's name", "What people and reports call it."),
    APIField(
      "id?: string|false|fun(item: any): ID = \"id\"",
      "The field that identifies an item, or a function that says its id; false where items have none."),
    APIField(
      "keys?: \"cursor\"|\"page\"|\"offset\" = \"cursor\"",
      "How pages are found: by the key in the page before, or counted by the host, several in flight."),
    APIField(
      "firstKey?: Key = nil, 1 or 0", "The key of the first page: nil for cursor, 1 for page, 0 for offset."),
    APIField("pageSize?: integer = 20", "Items to ask for with each fetch."),
    APIField("initialPageSize?: integer = pageSize", "Items to ask for with the first fetch."),
    APIField("leadingScreens?: number = 2", "Fetch when fewer viewports than that remain."),
    APIField("prefetchDistance?: integer", "The same in items; it counts instead of `leadingScreens`."),
    APIField(
      "shouldBatchFetch?: fun(view: View): boolean|Verdict",
      "The source's own policy, asked when something changed."),
    APIField("policy?: PolicyLike", "A policy instead of that."),
    APIField("maxInFlight?: integer = 1 or 4", "Fetches at once: 1 for cursor, 4 for counted keys."),
    APIField("merge?: \"keep\"|\"replace\" = \"keep\"", "What becomes of an item whose id is held already."),
    APIField(
      "maxItems?: integer = no limit", "Items held; pages far from the reader are dropped and fetched again."),
    APIField("transform?: fun(item: any): any", "Returns the item to keep, nil to drop it, or a list."),
    APIField(
      "prefetchItem?: async fun(id: ID, context: PrefetchContext): any",
      "Fetches the details of one item, ahead of its display."),
    APIField("timeout?: number = 30", "Seconds that a request may take."),
    APIField("retries?: integer = 10", "How often a request that failed in passing is tried again."),
    APIField("backoff?: BackoffKeys", "How long it waits before; `Retry-After` is obeyed."),
    APIField("rateLimit?: RateKeys = no limit", "So many requests in so many seconds."),
    APIField("needs?: NeedKeys", "What it asks to be granted, shown to the person who runs it."),
    APIField("parameters?: table<string, any>", "What the handler finds in `context.parameters`."),
  ]
}
