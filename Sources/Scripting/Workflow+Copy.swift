import Items
import Lua
public import Paging

/// What a copy has counted.
public struct CopyTally: Sendable {
  public let statistics: Statistics
  public let coverage: Coverage
  /// Variables of the script that were changed while it read; known once it is dismissed.
  public let changedVariables: [String]
}

/// A copy of a workflow reads partitions for it, on another thread: it handles what the workflow handled until its script
/// returned, so that the script's variables are the same, without asking the outside for anything; then it is called.
extension Workflow {
  /// What makes a workflow a copy.
  struct Copying {
    /// What the script returned that is read in partitions, by the names of the sources.
    var partitions: [String: LuaReference] = [:]
    /// The variables of the partitions' handlers, before the first was read.
    var variables: [String: ScriptVariables] = [:]
    /// Those that have changed.
    var changedVariables: Set<String> = []
    /// Partitions that came before the script returned.
    var waiting: [(Partition, HostCallID)] = []
  }

  /// What was counted here.
  public var copyTally: CopyTally {
    CopyTally(
      statistics: tally.statistics, coverage: tally.coverage,
      changedVariables: copying?.changedVariables.sorted() ?? [])
  }

  /// Has copies read the partitions, if there are to be any, and they can become what this is, now that its script has returned: what it
  /// has begun and not ended goes on here alone.
  func chooseReaders(after main: ScriptTask) {
    guard options.copies > 0 else { return }
    if let task = scheduler.openTasks.first(where: { $0 !== main }) {
      feeds.whyAlone = "what it has started before it returned goes on (\(task.place)): wait for its end"
    } else if !fetches.isEmpty {
      feeds.whyAlone = "a loop or an item set that it has opened is open still: close it before it returns"
    } else if !beginning.isHeld {
      feeds.whyAlone = "it has read too much before it returned"
    }
    feeds.readsElsewhere = feeds.whyAlone == nil
  }

  /// What programs that read for each other have said of the end.
  struct Dismissal {
    /// No more partitions come for the copies.
    var isAsked = false
    /// No more calls come.
    var hasCome = false
  }

  /// Whether the run may end, now that it has nothing else to do: nobody has a call for it any more. What a handler leaves behind in a
  /// copy needs the gate, and its error is one of the run.
  func isReleased() -> Bool {
    if run.isStopping || dismissal.hasCome || copying == nil && options.copies == 0 { return true }
    if options.copies > 0, !dismissal.isAsked {
      dismissal.isAsked = true
      turn.append(.dismiss)
    }
    return false
  }

  /// No more calls come.
  func dismiss() {
    dismissal.hasCome = true
    guard var copying else { return }
    for (source, before) in copying.variables {
      copying.changedVariables.formUnion(variables(of: source)?.changed(since: before) ?? [])
    }
    self.copying = copying
  }

  /// The variables of the handlers of a source that is read in partitions.
  private func variables(of source: String) -> ScriptVariables? {
    guard let partitions = copying?.partitions[source] else { return nil }
    let stack = prelude.state.stack
    stack.push(partitions)
    defer { stack.pop() }
    return (try? definitions.partitioned(stack, at: -1)).flatMap { $0 }.map {
      ScriptVariables(ofFunctionsIn: $0.table, stack)
    }
  }

  /// Becomes the copy with that number, from 1, of a workflow with this beginning and the same options and text; nothing may have happened
  /// here before. Fails if the script does something else than it did there.
  public func become(copy number: Int, _ beginning: WorkflowBeginning) throws {
    var copying = Copying()
    onReturned = { [unowned self] stack, results in
      copying.partitions = try returnedSources.partitions(stack, results: results)
    }
    self.copying = copying
    var calls = beginning.calls.makeIterator()
    for (event, time) in beginning.events {
      for call in WorkflowBeginning.calls(in: handle(event, at: time)) {
        let expected = calls.next()
        if expected != call { throw divergence(from: expected?.call, to: call.call) }
      }
    }
    if let failure { throw failure }
    if let missing = calls.next() { throw divergence(from: missing.call, to: nil) }
    guard self.beginning.lastNumber == beginning.lastNumber else { throw divergence(from: nil, to: nil) }
    onReturned = nil
    try reseed(number)
    forgetOwnWork()
    turn.beginNumbers(at: number << 40)
    self.copying = copying
    for source in copying.partitions.keys { copying.variables[source] = variables(of: source) }
    self.copying = copying
  }

  /// From here on each copy has random numbers of its own: ids made of them would be the same otherwise.
  private func reseed(_ number: Int) throws(LuaError) {
    let stack = prelude.state.stack
    stack.push(number)
    try prelude.call("reseed", with: -1, of: stack)
    stack.pop(2)
  }

  /// The script did something else than it did in the first workflow.
  private func divergence(from expected: HostCall?, to call: HostCall?) -> LuaError {
    var ways = ""
    if case .http(let request) = expected { ways += ", which asked for \(request.url)" }
    if case .http(let request) = call { ways += ", and asks for \(request.url)" }
    return LuaError(
      .runtime,
      "on another thread the script does not do what it did on the first\(ways), so partitions can't be read there: "
        + "if what it does before it returns depends on the order of pairs, sort it, or read with --jobs 1",
      code: "jobs")
  }

  /// What the script had begun before it returned is the first workflow's.
  private func forgetOwnWork() {
    fetches.closeAll()
    prefetchers.cancelAll()
    scheduler.cancelAll()
    turn.drain()
    outbox.forget()
    _ = turn.finish()
    wakeAt = nil
    calls.isGatedElsewhere = true
    (tally.statistics, tally.coverage) = (Statistics(), Coverage())
  }

  /// Has the sink read a partition, and answers the call when the sink has everything.
  func read(_ partition: Partition, answering id: HostCallID) {
    guard run.isMainOver else { return copying?.waiting.append((partition, id)) ?? () }
    run.isOneOfMany = true
    do {
      guard let partitions = copying?.partitions[partition.source] else {
        throw LuaError(.runtime, "source '\(partition.source)' is not read in partitions")
      }
      let stack = prelude.state.stack
      prelude.pushEntry("partition", on: stack)
      stack.push(partitions)
      stack.push(partition.parameters.string)
      try prelude.state.call(arguments: 2, results: 1)
      defer { stack.pop() }
      let definition = try definitions.read(stack, at: -1)
      guard try feeds.takes(definition, into: partition.stream, with: partition.parameters.string) else {
        throw Self.otherPartition(partition)
      }
      try feeds.read(definition, into: partition.stream, answering: id)
    } catch {
      feeds.fail(LuaError(any: error), of: id)
    }
  }
}
