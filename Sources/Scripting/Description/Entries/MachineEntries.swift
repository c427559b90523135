/// The machine under glass: its pure parts, for the REPL and for tests.
extension APIDescription {
  static let machine = APIModule(
    "lookahead.machine", "The pure parts of the machine, open to experiments.",
    functions: [
      APIFunction(
        "shouldFetchBatch(state: ScrollKeys): shouldFetch: boolean, reason: string",
        "Texture's decision: the answer, and the rule that gave it.",
        example: """
          print(lookahead.machine.shouldFetchBatch {
            scrollDirection = { "down" }, scrollableDirections = { "up", "down" }, bounds = { width = 100, height = 100 },
            contentSize = { width = 100, height = 1000 }, targetOffset = { x = 0, y = 750 },
          })
          """),
      APIFunction(
        "batchContext(): BatchContext", "The state machine of a batch fetch, alone.",
        example: """
          local context = lookahead.machine.batchContext()
          local token = context:begin()
          print(context.isFetching, context:complete(true, token), context.isFetching)
          """),
      APIFunction(
        "indexMap(oldCount: integer, deleted?: integer[], inserted?: integer[]): IndexMap",
        "Old positions to new ones and back.",
        example: "print(lookahead.machine.indexMap(5, { 2 }, { 1 }):new(3))"),
      APIFunction(
        "difference(old: any[], new: any[], options?: DifferenceKeys): Operations",
        "The operations that turn one list into another, with as few moves as possible.",
        details: "Lists of lists are sections of items; any other list counts as one section.",
        example: "print(#lookahead.machine.difference({ \"a\", \"b\" }, { \"b\", \"c\" }).insertedItems)"),
      APIFunction(
        "ranges(settings: RangeKeys): Ranges", "Which items are visible, displayed, preloaded and measured.",
        example: """
          local ranges = lookahead.machine.ranges {
            itemLength = 50, itemCount = 100, viewport = { x = 0, y = 500, width = 100, height = 200 },
          }
          print(ranges.visible[1], ranges.visible[2])
          """),
      APIFunction(
        "bound(problem: BoundKeys): Bound",
        "The schedule that knows when pages will be needed and how long each takes, and the unavoidable wait.",
        example: "print(lookahead.machine.bound({ deadlines = { 0, 1, 2 }, latency = 0.5 }).stall)"),
    ])

  static let machineClasses = [
    APIClass(
      "ScrollKeys", "lookahead.machine.shouldFetchBatch", .keys, "The input of Texture's decision.",
      fields: [
        APIField("isFetching?: boolean = false", "Whether a fetch is in flight."),
        APIField("scrollDirection?: Heading[]", "The scroll direction."),
        APIField("scrollableDirections: Heading[]", "The scrollable directions."),
        APIField("bounds: Size", "The viewport's size."),
        APIField("contentSize: Size", "The size of all items."),
        APIField("targetOffset?: Point", "Where the viewport will come to rest."),
        APIField("leadingScreens?: number = 2", "Viewports to have ahead."),
        APIField("isVisible?: boolean = true", "Whether anyone is looking."),
        APIField("isRightToLeft?: boolean = false", "Whether the text runs from right to left."),
        APIField("velocity?: Point", "How fast, per millisecond."),
        APIField("flips?: boolean = false", "Whether a layout from right to left is mirrored."),
        APIField(
          "delegate?: fun(remainingTime: number, hint: boolean): boolean",
          "May override the rule's answer."),
      ]),
    APIClass(
      "Size", "size", .keys, "A size.",
      fields: [APIField("width: number", "Across."), APIField("height: number", "Down.")]),
    APIClass(
      "Point", "point", .keys, "A place.",
      fields: [APIField("x: number", "Across."), APIField("y: number", "Down.")]),
    APIClass(
      "BatchContext", "batchContext", .object, "The state of a batch fetch.",
      fields: [
        APIField("isFetching: boolean", "Whether a fetch is in flight."),
        APIField("wasCancelled: boolean", "Whether the last one was cancelled."),
      ],
      methods: [
        APIFunction("begin(): integer", "Starts a fetch; returns its token."),
        APIFunction(
          "complete(flag?: boolean, token?: integer): boolean",
          "Completes the fetch of the token; true if the token was current."),
        APIFunction(
          "cancel(token?: integer): boolean", "Cancels the fetch of the token; true if the token was current."
        ),
      ]),
    APIClass(
      "IndexMap", "indexMap", .object, "Maps positions before and after a change; nil if there is none.",
      methods: [
        APIFunction("new(old: integer): integer?", "The new position of an old one."),
        APIFunction("old(new: integer): integer?", "The old position of a new one."),
      ]),
    APIClass(
      "DifferenceKeys", "lookahead.machine.difference", .keys, "How a difference is found.",
      fields: [
        APIField(
          "id?: string|fun(item: any): ID", "The identity of an item; by default the item itself."),
        APIField("sections?: boolean", "Whether the lists are sections of items."),
      ]),
    APIClass(
      "RangeKeys", "lookahead.machine.ranges", .keys, "A list and its viewport.",
      fields: [
        APIField("viewport: Rectangle", "What is visible."),
        APIField("itemLength?: number", "The length of every item."),
        APIField("itemLengths?: number[]", "The length of each."),
        APIField("itemCount?: integer", "How many there are."),
        APIField("axis?: \"vertical\"|\"horizontal\" = \"vertical\"", "The axis of the list."),
        APIField(
          "mode?: \"minimum\"|\"full\"|\"visibleOnly\"|\"lowMemory\" = \"full\"", "How far ranges reach."),
        APIField("direction?: Heading|Heading[] = down or right", "The scroll direction."),
        APIField("isVisible?: boolean = true", "Whether anyone is looking."),
      ]),
    APIClass(
      "Rectangle", "rectangle", .keys, "A place and a size.",
      fields: [
        APIField("x?: number = 0", "Across."), APIField("y?: number = 0", "Down."),
        APIField("width: number", "Its size across."), APIField("height: number", "Its size down."),
      ]),
    APIClass(
      "Ranges", "ranges", .object, "Ranges as { first, last }; { 1, 0 } is none.",
      fields: [
        APIField("visible: integer[]", "In the viewport."), APIField("display: integer[]", "To be rendered."),
        APIField("preload: integer[]", "To have their details fetched."),
        APIField("measure: integer[]", "To be measured."),
      ]),
    APIClass(
      "BoundKeys", "lookahead.machine.bound", .keys, "Pages and their deadlines.",
      fields: [
        APIField("deadlines: number[]", "When each page is needed, in seconds."),
        APIField("latency: number|number[]", "Seconds that each page takes."),
        APIField("slots?: integer = 1", "Fetches at once."),
        APIField(
          "cursor?: boolean = false", "Whether a page can be requested only after the previous one."),
        APIField("memory?: integer = no limit", "Pages that may be held before they are needed."),
      ]),
    APIClass(
      "Bound", "bound", .object, "A schedule that knows the future, in seconds.",
      fields: [
        APIField("stall: number", "The reader's total wait."),
        APIField("stalls: number[]", "The same for each page."),
        APIField("arrivals: number[]", "When each page arrives."),
        APIField("leastStall: number", "The wait that no schedule can avoid."),
        APIField("isExact: boolean", "Whether `stall` is proven to be optimal."),
      ]),
  ]
}
