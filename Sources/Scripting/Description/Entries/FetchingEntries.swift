/// The context of a fetch handler, and its results.
extension APIDescription {
  static let fetchingClasses = [
    APIClass(
      "Context", "context", .object,
      "What a fetch handler receives: which page to fetch, and ways to answer.",
      details:
        "A handler ends by returning a page, by `context:complete(more)`, by `context:fail(message)`, or by an error.",
      fields: [
        APIField("key?: Key", "The key of the page: nil for the first of a cursor source."),
        APIField("size: integer", "Items requested."),
        APIField("direction: \"append\"|\"prepend\"|\"refresh\"", "Which end grows."),
        APIField("attempt: integer", "1, plus one for every retry."),
        APIField("generation: integer", "Incremented by every refresh."),
        APIField("parameters: table<string, any>", "The parameters of `source:with` and of the source."),
        APIField("query?: table<string, any>", "The query of the requesting item set, if it has one."),
        APIField(
          "nextKey?: Key",
          "Set by a handler that completes by call, or whose page does not say it: the key of the next page."),
        APIField(
          "bookmark?: any",
          "What the last complete reading left, where the source has a bookmark; nil at first."),
        APIField("bookmarkLimit?: any", "The greatest bookmark that is wanted (`--until`); nil is none."),
        APIField(
          "newBookmark?: any",
          "The bookmark of this reading so far; a handler may set it, to any value that JSON has."),
        APIField(
          "total?: integer",
          "Set by a handler that knows it, unless its page says it: the exact number of items in the source."),
      ],
      methods: [
        APIFunction("append(items: any[])", "Shows items immediately, as their own change set."),
        APIFunction(
          "complete(more?: boolean)",
          "Completes the fetch; false means that there is nothing more in that direction. A handler may go on then."
        ),
        APIFunction(
          "fail(message: string, options?: FailKeys)",
          "Fails the fetch; it is retried by the source's rules."),
        APIFunction("isCancelled(): boolean", "Whether the answer is no longer wanted."),
      ]),
    APIClass(
      "FailKeys", "context:fail", .keys, "How a failed fetch is retried.",
      fields: [
        APIField("retryAfter?: number", "Seconds until the retry."),
        APIField("retry?: boolean = true", "Whether it is retried at all."),
      ]),
    APIClass(
      "Page", "page", .keys, "What a fetch handler returns.",
      fields: [
        APIField("items: any[]", "The items, in order."),
        APIField("nextKey?: Key", "The key of the next page; nil at the end of a cursor source."),
        APIField(
          "previousKey?: Key",
          "The key of the previous page, if there is one; a run reads those before the first one last."),
        APIField(
          "total?: integer",
          "The exact number of items in the source: it limits fetching ahead, and fewer items are an error."
        ),
        APIField(
          "isLast?: boolean",
          "Whether no page follows; false says that one does, behind an empty page or one without `nextKey`, too."
        ),
        APIField("removed?: ID[]", "Ids of items that are gone from the source: the output removes them."),
      ]),
    APIClass(
      "Error", "error", .object,
      "An external failure: returned by `lookahead.try` and `pcall`; `tostring` gives its text.",
      fields: [
        APIField(
          "code: string",
          "The kind: denied, network, timeout, http, tooLarge, notFound, io, database, parse, rateLimited, cancelled, …"
        ),
        APIField("message: string", "What happened, with the evidence."),
        APIField("isTransient?: boolean", "Whether a retry may succeed."),
        APIField("needs?: string", "The option that would allow the denied call."),
        APIField("retryAfter?: number", "Seconds the server asked to wait."),
        APIField("status?: integer", "The HTTP status."),
        APIField("line?: integer", "The line of a parse error."),
        APIField("column?: integer", "The same."),
        APIField("section?: integer", "The section of an invalid change set, from 1."),
        APIField("item?: integer", "The same."),
        APIField("old?: integer", "Items or sections before the change set."),
        APIField("new?: integer", "Items or sections after it."),
        APIField("inserted?: integer", "Items or sections it inserts."),
        APIField("deleted?: integer", "Items or sections it deletes."),
        APIField("operations?: string[]", "Its operations."),
      ], subscriptText: "[string]: any"),
    APIClass("Null", "null", .object, "JSON's null."),
  ]
}
