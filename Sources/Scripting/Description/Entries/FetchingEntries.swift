/// The context of a fetch handler, and its results.
extension APIDescription {
  static let fetchingClasses = [
    APIClass(
      "Context", "context", .object, "What a fetch handler is given: which page, and how to answer.",
      details:
        "A handler ends by returning a page, by `context:complete(more)`, by `context:fail(message)`, or by an error.",
      fields: [
        APIField("key?: Key", "The key of the page: nil for the first of a cursor source."),
        APIField("size: integer", "Items asked for."),
        APIField("direction: \"append\"|\"prepend\"|\"refresh\"", "Which end grows."),
        APIField("attempt: integer", "1, and one more with every retry."),
        APIField("generation: integer", "Grows with every refresh."),
        APIField("parameters: table<string, any>", "Those of `source:with`, and of the source."),
        APIField("query: table<string, any>", "The query of the item set that asks."),
        APIField("nextKey?: Key", "Set by a handler that completes by call: the key of the next page."),
        APIField(
          "total?: integer", "Set by a handler that knows it: the number of items of the source, no estimate."
        ),
      ],
      methods: [
        APIFunction("append(items: any[])", "Shows items at once, as a change set of their own."),
        APIFunction(
          "complete(more?: boolean)", "The fetch is over; false says that there is nothing more that way."),
        APIFunction(
          "fail(message: string, options?: FailKeys)",
          "The fetch failed; it is tried again as the source says."),
        APIFunction("isCancelled(): boolean", "Whether nobody wants the answer any more."),
      ]),
    APIClass(
      "FailKeys", "context:fail", .keys, "How a failed fetch goes on.",
      fields: [
        APIField("retryAfter?: number", "Seconds before it is tried again."),
        APIField("retry?: boolean = true", "Whether it is tried again at all."),
      ]),
    APIClass(
      "Page", "page", .keys, "What a fetch handler returns.",
      fields: [
        APIField("items: any[]", "The items, in their order."),
        APIField("nextKey?: Key", "The key of the next page; nil at the end of a cursor source."),
        APIField("previousKey?: Key", "The key of the page before, where there is one."),
        APIField(
          "total?: integer",
          "The number of items of the source, no estimate: it says how far to fetch ahead, and fewer items are an error."
        ),
        APIField("isLast?: boolean", "Nothing comes behind this page: for counted keys."),
      ]),
    APIClass(
      "Error", "error", .object,
      "A failure of the world: `lookahead.try` and `pcall` give it, `tostring` words it.",
      fields: [
        APIField(
          "code: string",
          "What kind: denied, network, timeout, http, tooLarge, notFound, io, database, parse, rateLimited, cancelled, …"
        ),
        APIField("message: string", "What happened, with the evidence."),
        APIField("isTransient?: boolean", "Whether it may pass by itself."),
        APIField("needs?: string", "The option that would allow what was denied."),
        APIField("retryAfter?: number", "Seconds after which the server wants to be asked again."),
        APIField("status?: integer", "The HTTP status."),
        APIField("line?: integer", "Where a text cannot be read."),
        APIField("column?: integer", "The same."),
        APIField("section?: integer", "Of a change set that does not add up: where, from 1."),
        APIField("item?: integer", "The same."), APIField("old?: integer", "Items or sections before it."),
        APIField("new?: integer", "Those that are there after it."),
        APIField("inserted?: integer", "Those that it says are new."),
        APIField("deleted?: integer", "Those that it says are gone."),
        APIField("operations?: string[]", "What it was made of."),
      ], subscriptText: "[string]: any"),
    APIClass("Null", "null", .object, "JSON's null."),
  ]
}
