public import Items
public import Lua
public import Paging

/// A person who browses.
extension Workflow {
  /// What the person who browses can see now; nil before the script has returned its source.
  public var browsedList: BrowsedList? { browser?.list }

  /// The name of the source that is browsed, and the items that it holds at most.
  public var browsedSource: (name: String, maxItems: Int?)? { browser?.source }

  /// How the source that is browsed is read; nil before the script has returned it.
  public var browsedConfiguration: FeedConfiguration? { browser?.configuration }

  /// Takes note of what the person wants; it is done with the next event that the workflow is given.
  public func browse(_ request: BrowseRequest) { browser?.handle(request) }

  /// Those of the places whose items' details are there; none where the source fetches none.
  public func browsedDetails(in places: Range<Int>) -> Set<Int> {
    browser?.placesWithDetails(in: places) ?? []
  }

  /// The details of an item, as JSON; nil while they are not there, and where the source fetches none.
  public func browsedDetails(of id: ItemID) -> Bytes? { browser?.details(of: id) }

  /// Has the details of all items fetched again, with the next event that the workflow is given: first those of what is seen.
  public func renewBrowsedDetails() {
    turn.enqueue { [unowned self] in
      guard let (owner, wanted) = browser?.forgetDetails() else { return }
      prefetchers.prefetch(wanted, with: owner)
    }
  }
}

/// A person at a prompt.
extension Workflow {
  /// Whether the text can be evaluated: as an expression, as statements, or as the beginning of either. It ends a line, so a
  /// string in quotes cannot go on behind it.
  public func completeness(of text: String) -> Completeness {
    session?.prompt.completeness(of: text) ?? .complete
  }

  /// Evaluates a text as a task, which may wait; it begins with the next event that the workflow is given, after the lines that
  /// are not over. `ended` is called once.
  ///
  /// `name` and `line`, the number of the text's first line, are shown in errors. With a `number` the first value is kept as
  /// `_3`, besides `_`.
  public func evaluate(
    _ text: String, name: String, line: Int = 1, number: Int? = nil, _ ended: @escaping (Evaluation) -> Void
  ) {
    session?.prompt.evaluate(text, name: name, line: line, number: number, ended)
  }

  /// Loads another text of the script into the same state, as a line: variables of the session stay, modules are loaded anew.
  public func runAgain(text: String, _ ended: @escaping (Evaluation) -> Void) {
    session?.prompt.runScript(text, name: options.scriptName, ended)
  }

  /// Whether a line, or the script itself, is not over.
  public var isEvaluating: Bool { session?.prompt.isEvaluating ?? false }

  /// Ends the lines that are not over, with all that they have begun, at the next event that the workflow is given; each as
  /// interrupted. So does the event `.interrupted` by itself.
  public func stopEvaluating() { session?.prompt.stopEvaluating() }

  /// Ends the run, with the next event that the workflow is given.
  public func leavePrompt() { session?.prompt.leave() }

  /// The limits of the lines to come; each line has the whole time for itself.
  public var promptBudget: LuaBudget {
    get { limits.budget }
    set { limits.budget = newValue }
  }

  /// Whether the script was stopped from outside, and not by a limit.
  public var hasBeenInterrupted: Bool { prelude.state.isInterrupted }

  /// Bytes of the Lua heap now.
  public var memoryUsed: Int { prelude.state.memoryUsed }

  /// Values on the state's own stack: as many after an event as before it.
  public var stackDepth: Int { prelude.state.stack.count }

  /// The sources that the script returned, then those in variables of the session; by name, each name once.
  public var promptSources: [(name: String, value: PromptValue)] { session?.values.sources ?? [] }

  /// The value that a path as `feed.fetch` or `list[3].id` leads to; nil when it leads to none.
  public func value(at path: String) -> PromptValue? { session?.values.value(at: path) }

  /// Where a function of the script, a module or a line is, and its text; nil for any other value.
  public func source(of value: PromptValue) -> FunctionSource? { session?.values.source(of: value) }

  /// How the word at the cursor, an offset in UTF-8 bytes, may go on. Nothing of the script is called.
  public func completions(of text: String, at cursor: Int) -> PromptCompletions {
    session?.completer.completions(of: text, at: cursor) ?? PromptCompletions(start: cursor, word: "", [])
  }

  /// A value as a person reads it, in as many lines as it takes. Nothing of the script is called; `name` is what cycles call it.
  public func text(of value: PromptValue, named name: String = "_", style: PrintStyle = PrintStyle())
    -> String
  {
    session?.inspector.text(of: value, named: name, style: style) ?? ""
  }

  /// What can be said of a value beyond its text; nothing of the script is called.
  public func inspect(_ value: PromptValue, style: PrintStyle = PrintStyle()) -> Inspection {
    session?.inspector.inspect(value, style: style) ?? Inspection(type: value.typeName, rows: [])
  }
}
