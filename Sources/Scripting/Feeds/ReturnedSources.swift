import Lua
import Paging

/// What a script returned: sources that are read into the sink, or by a person.
struct ReturnedSources {
  /// What the reading of returned sources knows of the run.
  struct Options {
    /// The script's file, for messages.
    var scriptName: String
    /// What a source is called that has no name of its own.
    var sourceName: String
    /// Sources to read of those that are returned; empty is all.
    var chosen: [String]
    /// Why items of these streams can't go to the sink together.
    var refuseStreams: (_ names: [String], _ areAdded: Bool) -> HostFailure?
    /// Options that ask for a stretch of incremental sources.
    var bounds: [String]
    var warn: (String) -> Void
    /// Told the streams of all that were returned.
    var tellStreams: (_ names: [String]) -> Void
  }

  private let prelude: Prelude
  private let scheduler: Scheduler
  private let run: RunState
  private let definitions: SourceDefinitions
  private let prefetchers: PrefetcherLibrary
  private let feeds: FeedHost
  private let browser: FeedBrowser?
  private let options: Options

  init(
    _ prelude: Prelude, _ scheduler: Scheduler, _ run: RunState, _ definitions: SourceDefinitions,
    _ prefetchers: PrefetcherLibrary,
    _ feeds: FeedHost, _ browser: FeedBrowser?, _ options: Options
  ) {
    self.prelude = prelude
    self.scheduler = scheduler
    self.run = run
    self.definitions = definitions
    self.prefetchers = prefetchers
    self.feeds = feeds
    self.browser = browser
    self.options = options
  }

  /// Gives what the script returned: a value, or several, which are as a list of them.
  private func withValue<Result>(
    _ stack: LuaStack, _ results: Int, _ body: (_ value: Int) throws -> Result
  ) rethrows -> Result {
    let first = stack.count - results + 1
    guard results > 1, (first + 1...stack.count).contains(where: { stack.isTable(at: $0) }) else {
      return try body(first)
    }
    stack.pushTable(elements: results)
    let list = stack.absolute(-1)
    defer { stack.pop() }
    for position in 1...results {
      stack.pushCopy(of: first + position - 1)
      stack.setElement(position, of: list)
    }
    return try body(list)
  }

  /// Opens the source, or each of the list, that the script returned; anything else is nothing to read, and false.
  func open(_ stack: LuaStack, results: Int) throws -> Bool {
    try withValue(stack, results) { try open(stack, at: $0) }
  }

  private func open(_ stack: LuaStack, at value: Int) throws -> Bool {
    guard stack.isTable(at: value) else { return false }
    try refuseLabValue(stack, at: value)
    var details: [String: ScriptPrefetcher] = [:]
    var partitions: [String: LuaReference] = [:]
    let found = try sources(in: stack, at: value) { place in
      if try definitions.isSource(stack, at: place) {
        let definition = try definitions.sealed(stack, at: place)
        details[definition.name] = try prefetchers.prefetcher(ofSource: place, on: stack)
        return definition
      }
      guard let definition = try definitions.partitioned(stack, at: place) else { return nil }
      stack.pushCopy(of: place)
      partitions[definition.name] = stack.popReference(in: prelude.state)
      return definition
    }
    guard let found else { return false }
    let chosen = try choose(found)
    try refuseBounds(of: chosen)
    if let browser {
      if let first = chosen.first { try browser.open(first, prefetcher: details[first.name]) }
      return true
    }
    // One that has no name of its own has the script's, and goes where what the script emits goes.
    let hasStreams = found.count > 1 || found.first.map { $0.name != options.sourceName } ?? false
    let areAdded = chosen.contains { $0.write == .append }
    if let refusal = options.refuseStreams(hasStreams ? chosen.map(\.name) : [], areAdded) {
      throw LuaError(refusal, code: "sink")
    }
    options.tellStreams(hasStreams ? found.map(\.name) : [])
    for definition in chosen {
      let stream = hasStreams ? definition.name : nil
      if let partitions = partitions[definition.name] {
        read(partitions, into: stream)
      } else if try feeds.takes(definition, into: stream, with: parameters(of: definition)) {
        try feeds.read(definition, into: stream)
      }
    }
    return true
  }

  /// Whether there are sources in what the script returned, and why a run would not read them; nothing is begun.
  func review(_ stack: LuaStack, results: Int) throws -> (hasSources: Bool, refusal: String?) {
    guard results > 0 else { return (false, nil) }
    return try withValue(stack, results) { try review(stack, at: $0) }
  }

  private func review(_ stack: LuaStack, at value: Int) throws -> (hasSources: Bool, refusal: String?) {
    guard stack.isTable(at: value) else { return (false, nil) }
    if try isForLab(stack, at: value) { return (true, nil) }
    do {
      let names = try sources(in: stack, at: value) { try definitions.name(stack, at: $0) }
      try refuseTwins(names ?? [])
      return (names?.isEmpty == false, nil)
    } catch let error as LuaError {
      return (true, error.message)
    }
  }

  /// What `read` makes of the source, or of each of the list, at `value`; nil where that is neither.
  private func sources<Found>(
    in stack: LuaStack, at value: Int, _ read: (Int) throws -> Found?
  ) throws -> [Found]? {
    if let source = try read(value) { return [source] }
    var found: [Found] = []
    for position in stride(from: 1, through: stack.length(of: value), by: 1) {
      stack.pushElement(position, of: value)
      defer { stack.pop() }
      guard let source = try read(stack.absolute(-1)) else {
        if found.isEmpty { return nil }
        throw LuaError(
          .runtime,
          "the script returned a list of sources whose element \(position) is a \(stack.typeName(at: -1))")
      }
      found.append(source)
    }
    return found.isEmpty && stack.pairCount(of: value) > 0 ? nil : found
  }

  /// What a source is read with that is no other's partition, as JSON; nil where there is no JSON of it.
  private func parameters(of definition: SourceDefinition) -> String? {
    guard feeds.carriesPartitions, let parameters = definition.parameters else { return "{}" }
    let stack = prelude.state.stack
    stack.push(parameters)
    defer { stack.pop() }
    return try? stack.json(at: -1)
  }

  /// What the script returned that is read in partitions, by the names of the sources; with sources that are one each, if
  /// `all`.
  func partitions(_ stack: LuaStack, results: Int, all: Bool = false) throws -> [String: LuaReference] {
    guard results > 0 else { return [:] }
    return try withValue(stack, results) { try partitions(stack, at: $0, all: all) }
  }

  private func partitions(
    _ stack: LuaStack, at value: Int, all: Bool
  ) throws -> [String: LuaReference] {
    guard stack.isTable(at: value) else { return [:] }
    var found: [String: LuaReference] = [:]
    func add(at index: Int) throws {
      let isWhole = try all && definitions.isSource(stack, at: index)
      guard
        let definition = isWhole
          ? try definitions.sealed(stack, at: index) : try definitions.partitioned(stack, at: index)
      else { return }
      stack.pushCopy(of: index)
      found[definition.name] = stack.popReference(in: prelude.state)
    }
    try add(at: value)
    for position in stride(from: 1, through: stack.length(of: value), by: 1) {
      stack.pushElement(position, of: value)
      try add(at: stack.absolute(-1))
      stack.pop()
    }
    return found
  }

  /// Has a task read one partition after the other.
  private func read(_ partitions: LuaReference, into stream: String?) {
    prelude.pushEntry("readPartitions", on: prelude.state.stack)
    let task = scheduler.makeTask(settings: RequestSettings(), place: options.scriptName)
    task.isJoined = true
    let stack = task.coroutine.stack
    stack.push(partitions)
    if let stream { stack.push(stream) } else { stack.pushNil() }
    task.onEnd = { [run] task in if case .failed(let error) = task.state { run.fail(error) } }
    scheduler.start(task, arguments: 2)
  }

  private func choose(_ definitions: [SourceDefinition]) throws(LuaError) -> [SourceDefinition] {
    let names = definitions.map(\.name)
    if let unknown = options.chosen.first(where: { !names.contains($0) }) {
      let known = names.isEmpty ? " (the script returns none)" : NearestName.hint(unknown, in: names)
      throw LuaError(.runtime, "--source \(unknown): there is no such source\(known)", code: "usage")
    }
    try refuseTwins(names)
    return definitions.filter { options.chosen.isEmpty || options.chosen.contains($0.name) }
  }

  private func refuseTwins(_ names: [String]) throws(LuaError) {
    var seen: Set<String> = []
    guard let name = names.first(where: { !seen.insert($0).inserted }) else { return }
    throw LuaError(.runtime, "two of the returned sources are called '\(name)': give each a name of its own")
  }

  /// A source without a bookmark has no stretch that could be asked for.
  private func refuseBounds(of sources: [SourceDefinition]) throws(LuaError) {
    guard let bound = options.bounds.first else { return }
    let others = sources.filter { !$0.isIncremental }
    let names = others.map { "'\($0.name)'" }.joined(separator: ", ")
    let why =
      "\(others.count == 1 ? "the source" : "the sources") \(names) \(others.count == 1 ? "has" : "have") no bookmark"
    guard others.count < sources.count else {
      throw LuaError(
        .runtime,
        "\(bound): \(why), which it would take the place of: declare what grows (bookmark = \"updated_at\"), or leave it out",
        code: "usage")
    }
    if !others.isEmpty { options.warn("\(bound): \(why), and all of it is read") }
  }

  /// What the lab calls a value; nil where it has no word for it.
  private func labWord(_ stack: LuaStack, at index: Int) throws(LuaError) -> String? {
    try prelude.call("labWord", with: index, of: stack)
    defer { prelude.state.stack.pop() }
    return prelude.state.stack.string(at: -1)
  }

  /// Whether the lab can do something with the value, or with an element of the list.
  private func isForLab(_ stack: LuaStack, at value: Int) throws(LuaError) -> Bool {
    if try labWord(stack, at: value) != nil { return true }
    for position in stride(from: 1, through: stack.length(of: value), by: 1) {
      stack.pushElement(position, of: value)
      defer { stack.pop() }
      if try labWord(stack, at: -1) != nil { return true }
    }
    return false
  }

  /// Fails for an experiment and the like, which a run can do nothing with.
  private func refuseLabValue(_ stack: LuaStack, at index: Int) throws(LuaError) {
    guard let word = try labWord(stack, at: index) else { return }
    let option = word == "a policy" ? "--policy " : ""
    throw LuaError(
      .runtime,
      "the script returned \(word), which is for the lab: try `lookahead lab \(option)\(options.scriptName)`",
      code: "usage")
  }
}
