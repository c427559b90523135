extension PromptCommand {
  /// The commands that explore a feed.
  static let exploring = acting + travelling + watching

  /// Whether the text is part of an exploration, so that repeating it leads to the same place.
  static func explores(_ text: String) -> Bool {
    let name = text.drop { $0.isWhitespace || $0 == ":" }.prefix { !$0.isWhitespace }
    return (acting + travelling).contains { $0.name == name || $0.aliases.contains(String(name)) }
  }

  private static let acting: [PromptCommand] = [
    PromptCommand(
      name: "open", usage: "[SOURCE] [screen N]",
      summary: "explore a source, through a screen of N items",
      completes: .source, run: OpenCommand.run),
    PromptCommand(
      name: "scroll", usage: ScrollArgument.usage, summary: "look at other items",
      completes: .words(["to ", "start", "end"]),
      run: MovingCommands.scroll),
    PromptCommand(
      name: "fling", usage: "[ITEMS_PER_SECOND]", summary: "fling the list, and let it run out",
      run: MovingCommands.fling),
    PromptCommand(
      name: "replay", usage: "FILE", summary: "move as a person did whom browse --record has recorded",
      completes: .file, run: MovingCommands.replay
    ),
    PromptCommand(
      name: "fetch", usage: "[append|prepend]", summary: "one page more, whatever the policy says",
      completes: .words(["append", "prepend"]),
      run: MovingCommands.fetch),
    PromptCommand(
      name: "refresh", usage: "", summary: "have everything fetched again",
      run: { session, _ throws(PromptFault) in try MovingCommands.refresh(session) }),
    PromptCommand(
      name: "retry", usage: "", summary: "try again what failed or stopped",
      run: { session, _ throws(PromptFault) in try MovingCommands.retry(session) }),
    PromptCommand(
      name: "policy", usage: "[POLICY|source]",
      summary: "have another policy decide: a built-in one, or a variable",
      completes: .policy, run: PolicyCommand.run),
    PromptCommand(
      name: "close", usage: "", summary: "end the exploration",
      run: { session, _ throws(PromptFault) in try OpenCommand.close(session) }),
  ]

  private static let travelling: [PromptCommand] = [
    PromptCommand(
      name: "step", aliases: ["s"], usage: "[N]", summary: "let the next thing happen, or the next N",
      run: TravelCommands.step),
    PromptCommand(
      name: "run", usage: "[TIME]", summary: "continue until nothing is left to happen, or for TIME",
      run: TravelCommands.run),
    PromptCommand(
      name: "back", usage: "[N]", summary: "go back in time by a moment, or by N, to the policy of then too",
      run: TravelCommands.back),
    PromptCommand(
      name: "forward", usage: "[N]",
      summary: "go forward again through what was lived already, its policies too",
      run: TravelCommands.forward),
    PromptCommand(
      name: "goto", usage: "N", summary: "go to a moment, and to the policy that decided then",
      run: TravelCommands.go),
    PromptCommand(
      name: "rerun", usage: "",
      summary: "do the same again from here under the policy of now (after :goto, :policy), and compare",
      run: { session, _ throws(PromptFault) in try RerunCommand.run(session) }),
  ]

  private static let watching: [PromptCommand] = [
    PromptCommand(
      name: "state", usage: "", summary: "how the feed stands",
      run: { session, _ throws(PromptFault) in try WatchingCommands.state(session) }),
    PromptCommand(
      name: "why", usage: "[N]", summary: "what the policy saw and said, now or at a moment",
      run: WatchingCommands.why),
    PromptCommand(
      name: "moments", aliases: ["journal"], usage: "[FILE]",
      summary: "all that happened so far, or as a trace into a new file",
      completes: .file, run: MomentsCommand.run),
    PromptCommand(
      name: "ranges", usage: "", summary: "how near which items are to the eye",
      run: { session, _ throws(PromptFault) in try WatchingCommands.ranges(session) }),
    PromptCommand(
      name: "visible", usage: "", summary: "the items that are seen",
      run: { session, _ throws(PromptFault) in try ItemCommands.visible(session) }),
    PromptCommand(
      name: "items", usage: "[FIRST [LAST]]", summary: "the items that are held",
      run: ItemCommands.held),
    PromptCommand(
      name: "pending", usage: "", summary: "what is on its way, and items that wait for their turn",
      run: { session, _ throws(PromptFault) in try ItemCommands.pending(session) }),
  ]
}
