/// Reading from scripts: item sets, prefetchers, tasks, parameters.
extension APIDescription {
  static let readingClasses = [
    APIClass(
      "ItemSet", "itemSet", .object,
      "An ordered set of unique items that fetches on request; `#set` counts them.",
      fields: itemSetFields, methods: itemSetMethods, subscriptText: "[integer]: any"),
    APIClass(
      "PrefetcherKeys", "lookahead.prefetcher", .keys, "The definition of a prefetcher.",
      fields: [
        APIField(
          "fetch: async fun(id: ID, context: PrefetchContext): any",
          "Fetches the details of one item; false if it has none."),
        APIField("capacity?: integer = 1000", "Maximum details held; the least recently used are evicted."),
        APIField("staleAfter?: number = never", "Seconds after which they are fetched again."),
        APIField("maxInFlight?: integer = 4", "Fetches at once."),
      ]),
    APIClass(
      "Prefetcher", "prefetcher", .object,
      "Details of items by id: one fetch for each, however many readers wait.",
      fields: [APIField("stats: PrefetcherStats", "Its counts so far.")],
      methods: [
        APIFunction("prefetch(ids: ID[])", "Fetches details that will be needed soon, most important first."),
        APIFunction(
          "cancelPrefetch(ids: ID[])", "Cancels prefetches; tasks that wait for details keep waiting."),
        APIFunction(
          "get(id: ID): any", waits: true,
          "The details; joins a fetch in flight, or starts one ahead of the others."),
        APIFunction("peek(id: ID): any", "The held details, fresh or not; nil if there are none."),
        APIFunction("invalidate(ids?: ID[])", "Drops the held details of these ids, or of all."),
      ]),
    APIClass(
      "PrefetchContext", "prefetchContext", .object, "What a prefetch handler receives.",
      fields: [
        APIField("attempt: integer", "1, plus one for every retry."),
        APIField("isPrefetch: boolean", "Whether no task waits for it yet."),
        APIField("parameters?: table<string, any>", "The parameters of the source."),
      ],
      methods: [APIFunction("isCancelled(): boolean", "Whether the answer is no longer wanted.")]),
    APIClass(
      "PrefetcherStats", "prefetcher.stats", .object, "The counts of a prefetcher.",
      fields: [
        APIField("hits: integer", "Reads that found the details."),
        APIField("joins: integer", "Reads that joined a fetch in flight."),
        APIField("misses: integer", "Reads that started a fetch."),
        APIField("fetches: integer", "Fetches begun, with those that were cancelled."),
        APIField("failed: integer", "Fetches that failed."),
        APIField("cancelled: integer", "Fetches that were cancelled."),
        APIField("evicted: integer", "Details evicted."),
        APIField("wasted: integer", "Details never read."),
        APIField("inFlight: integer", "Fetches in flight."),
        APIField("queued: integer", "Fetches waiting for a slot."),
        APIField("count: integer", "Details held."),
      ]),
    APIClass(
      "Task", "task", .object, "A function that runs beside the script.",
      methods: [
        APIFunction(
          "wait(): any...", waits: true, "Waits until it ends; returns its results, or raises its error."),
        APIFunction(
          "cancel()",
          "Ends it, and its own tasks that it waits for; a wait for it raises an error with the code `cancelled`."
        ),
      ]),
    APIClass(
      "ParameterKeys", "lookahead.parameters", .keys,
      "The declaration of one parameter; a plain value is its default.",
      fields: [
        APIField("default?: string|number|boolean", "Its value if none is given."),
        APIField("help?: string", "What it is for."),
        APIField("required?: boolean = false", "Whether it must be given."),
        APIField(
          "partition?: boolean = true",
          "Whether another value means another part of the source, which is remembered apart."),
        APIField("secret?: boolean = false", "Whether it is kept out of messages, traces and recordings."),
        APIField(
          "type?: \"string\"|\"integer\"|\"number\"|\"boolean\" = that of the default",
          "How a given text is parsed."),
      ]),
  ]

  private static let itemSetFields = [
    APIField("isFetching: boolean", "Whether a fetch is in flight."),
    APIField("lastFetchedPage: integer", "The page fetched last, from 1; 0 before the first."),
    APIField(
      "totalPages: integer", "Pages in the source, if it reports a total; 0 before the first."),
    APIField(
      "lastPageAlreadyFetched: boolean",
      "Whether there is no next page; the pages, if all were fetched, are compared with the total."),
    APIField("count: integer", "Items held."),
    APIField("items: any[]", "All of them, as a new list."),
    APIField("firstItem: any", "The first one, or nil."),
    APIField("lastItem: any", "The last one, or nil."),
    APIField(
      "query?: table<string, any>",
      "What the handler finds in `context.query`; setting it does not reset the set."),
    APIField("onPageLoaded?: fun(newItems: any[])", "Called with the new items of each page."),
    APIField("onPageLoadFailed?: fun(failure: any)", "Called with each failure, which is not raised then."),
  ]

  private static let itemSetMethods = [
    APIFunction(
      "fetchNextPage(): newItems?: any[], failure?: any", waits: true,
      "Fetches the page after the last one; joins a fetch in flight, and does nothing at the end."),
    APIFunction(
      "fetchPage(page: integer): newItems?: any[], failure?: any", waits: true,
      "Fetches any page, after one that is in flight; fetching one again adds only new items."),
    APIFunction("cancelFetch()", "Cancels the fetch in flight; its answer is discarded."),
    APIFunction("reset()", "Drops items and pages; the query stays."),
    APIFunction("contains(id: ID): boolean", "Whether an item with that id is held."),
  ]
}
