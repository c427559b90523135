import Items
import Listing
import Lua
import Paging

/// Collections, behind `lookahead.collection`: change sets that become visible at the end of a turn.
///
/// The prelude passes the four data functions last.
final class CollectionLibrary: ScriptLibrary {
  private let prelude: Prelude
  private let turn: Turn
  private let scheduler: Scheduler
  private let run: RunState
  private let values: CollectionValues

  init(
    _ prelude: Prelude, _ turn: Turn, _ scheduler: Scheduler, _ run: RunState, _ values: CollectionValues
  ) {
    self.prelude = prelude
    self.turn = turn
    self.scheduler = scheduler
    self.run = run
    self.values = values
  }

  func register(in host: HostTable) {
    host.add("collectionNew", "lookahead.collection") { [unowned self] call in
      let collection = ScriptCollection(moves: MoveStyle(rawValue: call.stack.string(at: 1) ?? "") ?? .real)
      try values.raising("lookahead.collection", on: call.stack) {
        try collection.load(from: values.source(call, at: 2))
      }
      call.stack.push(owner: collection)
      return .results(1)
    }
    host.add("collectionPerform", "collection:performBatchUpdates") { [unowned self] call in
      try performBatchUpdates(call, collection(call, "collection:performBatchUpdates"))
    }
    host.add("collectionBegin", "collection:beginUpdates") { call in
      try collection(call, "collection:beginUpdates").begin(isScope: false)
      return .nothing
    }
    host.add("collectionEnd", "collection:endUpdates") { [unowned self] call in
      try endUpdates(call, collection(call, "collection:endUpdates"))
    }
    host.add("collectionSubmit", "collection") { [unowned self] call in
      let name = call.stack.string(at: 2) ?? ""
      return try submit(call, collection(call, "collection:" + name), name)
    }
    host.add("collectionApply", "collection:apply") { [unowned self] call in
      try apply(call, collection(call, "collection:apply"))
    }
    host.add("collectionClosed", "collection") { [unowned self] call in
      let title = "collection:" + (call.stack.string(at: 1) ?? "")
      throw values.raise(CollectionFault(UpdateError(.changeSetClosed)), title, on: call.stack)
    }
    host.add("collectionItems", "collection") { call in
      let collection = try collection(call, "collection")
      let controller = collection.controller
      call.stack.push(call.stack.truth(at: 2) ? controller.visible : controller.pending)
      return .results(1)
    }
    host.add("collectionLast", "collection:lastChangeSet") { call in
      guard let changes = try collection(call, "collection:lastChangeSet").lastChangeSet else {
        return .nothing
      }
      call.stack.push(applied: changes)
      return .results(1)
    }
    host.add("collectionWait", "collection:wait") { [unowned self] call in
      let waits = try collection(call, "collection:wait").wait { try scheduler.waitingTask(call) }
      return waits ? .waits : .nothing
    }
  }

  /// perform(collection, f, completion, data…) → whether f succeeded
  private func performBatchUpdates(
    _ call: HostFunctionCall, _ collection: ScriptCollection
  ) throws -> HostFunctionAnswer {
    let stack = call.stack
    let title = call.name
    let completion = prelude.reference(at: 3, of: stack)
    guard collection.canNest else {
      throw HostFunctionError.misuse(
        "\(title): more than \(ScriptCollection.nestingLimit) updates inside each other: does the function call "
          + "itself?")
    }
    collection.begin(isScope: true)
    var isDone = false
    do {
      isDone = try callAtOnce(call, at: 2)
      if isDone, let batch = try collection.end(completion: completion, isScope: true) {
        try values.raising(title, on: stack) {
          try finish(batch, of: collection, from: values.source(call, at: 4))
        }
      }
    } catch let error as UpdateError {
      abandon(collection, completion)
      throw values.raise(CollectionFault(error), title, on: stack)
    } catch let error as LuaError {
      abandon(collection, completion)
      throw error
    }
    if !isDone { abandon(collection, completion) }
    stack.push(isDone)
    return .results(1)
  }

  /// Calls a function that may not wait; returns a boolean.
  private func callAtOnce(_ call: HostFunctionCall, at index: Int) throws(LuaError) -> Bool {
    call.stack.pushCopy(of: index)
    call.stack.move(1, to: prelude.state.stack)
    try prelude.state.call(arguments: 0, results: 1)
    defer { prelude.state.stack.pop() }
    return prelude.state.stack.truth(at: -1)
  }

  /// end(collection, completion, data…)
  private func endUpdates(
    _ call: HostFunctionCall, _ collection: ScriptCollection
  ) throws -> HostFunctionAnswer {
    try values.raising(call.name, on: call.stack) {
      if let batch = try collection.end(completion: prelude.reference(at: 2, of: call.stack), isScope: false)
      {
        try finish(batch, of: collection, from: values.source(call, at: 3))
      }
    }
    return .nothing
  }

  /// submit(collection, name, a, b, data…): one operation, in the open batch or on its own
  private func submit(
    _ call: HostFunctionCall, _ collection: ScriptCollection, _ name: String
  ) throws -> HostFunctionAnswer {
    try values.raising("collection:" + name, on: call.stack) {
      let operation = try BatchOperation(name, at: 3, on: call.stack)
      guard !collection.isOpen else { return try collection.submit(operation) }
      let batch = try collection.batch(of: [operation], completion: nil)
      try finish(batch, of: collection, from: values.source(call, at: 5))
    }
    return .nothing
  }

  /// apply(collection, id, completion, new data…)
  private func apply(
    _ call: HostFunctionCall, _ collection: ScriptCollection
  ) throws -> HostFunctionAnswer {
    guard !collection.isOpen else {
      throw HostFunctionError.misuse(
        "collection:apply: an update is open, and apply makes a change set of its own: call it after the update"
      )
    }
    try values.raising(call.name, on: call.stack) {
      let identity = values.identity(call, at: 2)
      let (changes, sections) = try collection.whileReading {
        let new = try values.sections(values.source(call, at: 4), identity)
        let old = try collection.controller.pending.sections.enumerated().map { number, section in
          IdentifiedSection(
            id: section.context,
            elements: try identity.identify(section.items.compactMap(\.model), section: number))
        }
        return (try values.difference(old, new), new)
      }
      let source = CollectionSource(state: prelude.state, title: call.name, content: .read(sections))
      let completion = prelude.reference(at: 3, of: call.stack)
      switch collection.moves {
      case .real: try finish(changes, completion, of: collection, from: source)
      case .split:
        let batch = try collection.batch(of: changes.splitOperations, completion: completion)
        try finish(batch, of: collection, from: source)
      }
    }
    return .nothing
  }

  /// Submits a whole batch; an inconsistent one changes nothing, and its completions are called.
  private func finish(_ batch: BatchUpdate, of collection: ScriptCollection, from source: CollectionSource)
    throws
  {
    do {
      carryOut(try collection.submit(batch, from: source), for: collection)
    } catch {
      drop(batch, of: collection)
      throw error
    }
  }

  /// Submits a difference; an invalid one changes nothing, and its completion is called.
  private func finish(
    _ changes: PathChanges, _ completion: LuaReference?, of collection: ScriptCollection,
    from source: CollectionSource
  ) throws {
    let number = completion.map(collection.register)
    do {
      carryOut(try collection.submit(changes, completion: number, from: source), for: collection)
    } catch {
      if let function = number.flatMap(collection.removeCompletion) { complete(function, isFinished: false) }
      throw error
    }
  }

  /// A batch function failed: its completion is called, and all others if there is no outer batch.
  private func abandon(_ collection: ScriptCollection, _ completion: LuaReference?) {
    let batch = collection.abandonScope()
    if let batch { drop(batch, of: collection) }
    if let completion { complete(completion, isFinished: false) }
  }

  private func drop(_ batch: BatchUpdate, of collection: ScriptCollection) {
    for number in batch.completions {
      if let completion = collection.removeCompletion(number) { complete(completion, isFinished: false) }
    }
  }

  /// Changes are applied later in this turn, when the script waits; completions run between sets.
  private func carryOut(_ effects: [DataEffect<CollectionSource>], for collection: ScriptCollection) {
    for effect in effects {
      switch effect {
      case .apply(let revision, _):
        turn.enqueue { [unowned self] in carryOut(collection.readerApplied(revision), for: collection) }
      case .complete(let number):
        if let completion = collection.removeCompletion(number) { complete(completion, isFinished: true) }
      case .resume(let token):
        if let task = collection.removeWaiting(token) {
          // Something may be pending again: then it goes on waiting.
          scheduler.resume(task) { stack in
            stack.push(true)
            return 1
          }
        }
      case .perform, .hurry, .cancel: break
      }
    }
  }

  /// Calls a completion as a task of its own, so that it may wait.
  private func complete(_ completion: LuaReference, isFinished: Bool) {
    guard !run.isStopping else { return }
    let stack = prelude.state.stack
    stack.push(completion)
    let task = scheduler.makeTask(
      settings: scheduler.running?.settings ?? RequestSettings(), place: stack.placeOfFunction(at: -1))
    task.coroutine.stack.push(isFinished)
    scheduler.start(task, arguments: 1)
  }
}

/// The collection of a host function's call, if it is usable.
private func collection(_ call: HostFunctionCall, _ title: String) throws -> ScriptCollection {
  guard let collection = call.stack.owner(at: 1) as? ScriptCollection else {
    throw HostFunctionError.misuse("\(title): expected a collection")
  }
  try collection.checkIdle(title)
  return collection
}
