/// Reading from scripts: item sets, prefetchers, tasks, parameters.
extension APIDescription {
  static let readingClasses = [
    APIClass(
      "ItemSet", "itemSet", .object,
      "An ordered set of unique items that fetches when told to; `#set` counts them.",
      fields: itemSetFields, methods: itemSetMethods, subscriptText: "[integer]: any"),
    APIClass(
      "PrefetcherKeys", "lookahead.prefetcher", .keys, "What a prefetcher is made of.",
      fields: [
        APIField(
          "fetch: async fun(id: ID, context: PrefetchContext): any",
          "Fetches the details of one item; false where there are none."),
        APIField("capacity?: integer = 1000", "Details held; the ones not used for longest go."),
        APIField("staleAfter?: number = never", "Seconds after which they are fetched again."),
        APIField("maxInFlight?: integer = 4", "Fetches at once."),
      ]),
    APIClass(
      "Prefetcher", "prefetcher", .object, "Details of items by id: one fetch for each, however many ask.",
      fields: [APIField("stats: PrefetcherStats", "What it did so far.")],
      methods: [
        APIFunction("prefetch(ids: ID[])", "Fetches what will be wanted soon, the most important first."),
        APIFunction(
          "cancelPrefetch(ids: ID[])", "These will not be wanted; who waits for one goes on waiting."),
        APIFunction(
          "get(id: ID): any", waits: true,
          "The details; joins the fetch under way, or begins one ahead of the others."),
        APIFunction("peek(id: ID): any", "What is held, fresh or not; nil when nothing is."),
        APIFunction("invalidate(ids?: ID[])", "Forgets what is held of these ids, or of all."),
      ]),
    APIClass(
      "PrefetchContext", "prefetchContext", .object, "What a handler of details is given.",
      fields: [
        APIField("attempt: integer", "1, and one more with every retry."),
        APIField("isPrefetch: boolean", "Whether nobody waits for it yet."),
        APIField("parameters?: table<string, any>", "Those of the source."),
      ],
      methods: [APIFunction("isCancelled(): boolean", "Whether nobody wants the answer any more.")]),
    APIClass(
      "PrefetcherStats", "prefetcher.stats", .object, "What a prefetcher did, as counts.",
      fields: [
        APIField("hits: integer", "Details that were there when asked for."),
        APIField("joins: integer", "Askers that joined a fetch under way."),
        APIField("misses: integer", "Askers for whom a fetch began."),
        APIField("fetches: integer", "Fetches made."), APIField("failed: integer", "Fetches that failed."),
        APIField("cancelled: integer", "Fetches that were given up."),
        APIField("evicted: integer", "Details dropped for others."),
        APIField("wasted: integer", "Details that nobody asked for."),
        APIField("inFlight: integer", "Fetches under way."),
        APIField("queued: integer", "Fetches that wait for their turn."),
        APIField("count: integer", "Details held."),
      ]),
    APIClass(
      "Task", "task", .object, "A function that runs beside the script.",
      methods: [
        APIFunction(
          "wait(): any...", waits: true, "Waits for its end; returns its results, or raises its error."),
        APIFunction("cancel()", "Ends it; a wait for it raises an error with the code `cancelled`."),
      ]),
    APIClass(
      "ParameterKeys", "lookahead.parameters", .keys,
      "What is said about one parameter; a plain value is its default.",
      fields: [
        APIField("default?: string|number|boolean", "Its value when none is given."),
        APIField("help?: string", "What it is for."),
        APIField("required?: boolean = false", "Whether it must be given."),
        APIField("secret?: boolean = false", "Whether it is kept out of messages, traces and recordings."),
        APIField(
          "type?: \"string\"|\"integer\"|\"number\"|\"boolean\" = that of the default",
          "What a given text is read as."),
      ]),
  ]

  private static let itemSetFields = [
    APIField("isFetching: boolean", "Whether a fetch is under way."),
    APIField("lastFetchedPage: integer", "The page fetched last, from 1; 0 before the first."),
    APIField(
      "totalPages: integer", "Pages of the source, where it says how many items it has; 0 before the first."),
    APIField("lastPageAlreadyFetched: boolean", "Whether there is no next page."),
    APIField("count: integer", "Items held."),
    APIField("items: any[]", "All of them, as a new list."),
    APIField("firstItem: any", "The first one, or nil."),
    APIField("lastItem: any", "The last one, or nil."),
    APIField(
      "query?: table<string, any>", "What the handler finds in `context.query`; setting it is no reset."),
    APIField("onPageLoaded?: fun(newItems: any[])", "Called with the new items of each page."),
    APIField("onPageLoadFailed?: fun(failure: any)", "Called with each failure, which is not raised then."),
  ]

  private static let itemSetMethods = [
    APIFunction(
      "fetchNextPage(): newItems?: any[], failure?: any", waits: true,
      "Fetches the page behind the last one; joins a fetch under way, and does nothing at the end."),
    APIFunction(
      "fetchPage(page: integer): newItems?: any[], failure?: any", waits: true,
      "Fetches any page; a page fetched again adds only what is new."),
    APIFunction("cancelFetch()", "Gives up the fetch under way; its answer is thrown away."),
    APIFunction("reset()", "Forgets items and pages; the query stays."),
    APIFunction("contains(id: ID): boolean", "Whether an item with that id is held."),
  ]
}
