import Items
import Listing
import Lua
import Paging

/// Host functions behind `lookahead.collection`. The prelude passes the four functions that give the data last.
extension Workflow {
  func defineCollections(in host: HostTable) {
    host.add("collectionNew", "lookahead.collection") { [unowned self] call in
      let collection = ScriptCollection(moves: MoveStyle(rawValue: call.stack.string(at: 1) ?? "") ?? .real)
      try raising("lookahead.collection", on: call.stack) {
        try collection.load(from: collectionSource(call, at: 2))
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
      throw raise(CollectionFault(UpdateError(.changeSetClosed)), title, on: call.stack)
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
      let waits = try collection(call, "collection:wait").wait { try waitingTask(call) }
      return waits ? .waits : .nothing
    }
  }

  /// perform(collection, f, completion, data…) → whether f did not fail
  private func performBatchUpdates(
    _ call: HostFunctionCall, _ collection: ScriptCollection
  ) throws -> HostFunctionAnswer {
    let stack = call.stack
    let title = call.name
    let completion = reference(call, at: 3)
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
        try raising(title, on: stack) {
          try finish(batch, of: collection, from: collectionSource(call, at: 4))
        }
      }
    } catch let error as UpdateError {
      abandon(collection, completion)
      throw raise(CollectionFault(error), title, on: stack)
    } catch let error as LuaError {
      abandon(collection, completion)
      throw error
    }
    if !isDone { abandon(collection, completion) }
    stack.push(isDone)
    return .results(1)
  }

  /// Calls a function where it may not wait; it gives a truth.
  private func callAtOnce(_ call: HostFunctionCall, at index: Int) throws(LuaError) -> Bool {
    call.stack.pushCopy(of: index)
    call.stack.move(1, to: state.stack)
    try state.call(arguments: 0, results: 1)
    defer { state.stack.pop() }
    return state.stack.truth(at: -1)
  }

  /// end(collection, completion, data…)
  private func endUpdates(
    _ call: HostFunctionCall, _ collection: ScriptCollection
  ) throws -> HostFunctionAnswer {
    try raising(call.name, on: call.stack) {
      if let batch = try collection.end(completion: reference(call, at: 2), isScope: false) {
        try finish(batch, of: collection, from: collectionSource(call, at: 3))
      }
    }
    return .nothing
  }

  /// submit(collection, name, a, b, data…): one operation, in the open batch or as one of its own
  private func submit(
    _ call: HostFunctionCall, _ collection: ScriptCollection, _ name: String
  ) throws -> HostFunctionAnswer {
    try raising("collection:" + name, on: call.stack) {
      let operation = try BatchOperation(name, at: 3, on: call.stack)
      guard !collection.isOpen else { return try collection.submit(operation) }
      let batch = try collection.batch(of: [operation], completion: nil)
      try finish(batch, of: collection, from: collectionSource(call, at: 5))
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
    try raising(call.name, on: call.stack) {
      let identity = itemIdentity(call, at: 2)
      let (changes, sections) = try collection.whileReading {
        let new = try identifiedSections(collectionSource(call, at: 4), identity)
        let old = try collection.controller.pending.sections.enumerated().map { number, section in
          IdentifiedSection(
            id: section.context,
            elements: try identity.identify(section.items.compactMap(\.model), section: number))
        }
        return (try difference(old, new), new)
      }
      let source = CollectionSource(state: state, title: call.name, content: .read(sections))
      let completion = reference(call, at: 3)
      switch collection.moves {
      case .real: try finish(changes, completion, of: collection, from: source)
      case .split:
        let batch = try collection.batch(of: changes.splitOperations, completion: completion)
        try finish(batch, of: collection, from: source)
      }
    }
    return .nothing
  }
}

/// The collection that a host function was called for, when it can be used.
private func collection(_ call: HostFunctionCall, _ title: String) throws -> ScriptCollection {
  guard let collection = call.stack.owner(at: 1) as? ScriptCollection else {
    throw HostFunctionError.misuse("\(title): expected a collection")
  }
  try collection.checkIdle(title)
  return collection
}
