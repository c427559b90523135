import Items
import Listing
import Lua
import Paging

/// Collections: change sets that become visible at the end of a turn.
extension Workflow {
  /// Takes a whole batch; one that does not add up changes nothing, and its completions are told.
  func finish(_ batch: BatchUpdate, of collection: ScriptCollection, from source: CollectionSource) throws {
    do {
      carryOut(try collection.submit(batch, from: source), for: collection)
    } catch {
      drop(batch, of: collection)
      throw error
    }
  }

  /// Takes a difference; one that can't be taken changes nothing, and its completion is told.
  func finish(
    _ changes: PathChanges, _ completion: LuaReference?, of collection: ScriptCollection,
    from source: CollectionSource
  ) throws {
    let number = completion.map(collection.register)
    do {
      carryOut(try collection.submit(changes, completion: number, from: source), for: collection)
    } catch {
      if let function = number.flatMap(collection.takeCompletion) { complete(function, isFinished: false) }
      throw error
    }
  }

  /// A function of a batch failed: its completion is told, and all others when there is no outer batch.
  func abandon(_ collection: ScriptCollection, _ completion: LuaReference?) {
    let batch = collection.abandonScope()
    if let batch { drop(batch, of: collection) }
    if let completion { complete(completion, isFinished: false) }
  }

  private func drop(_ batch: BatchUpdate, of collection: ScriptCollection) {
    for number in batch.completions {
      if let completion = collection.takeCompletion(number) { complete(completion, isFinished: false) }
    }
  }

  /// What is applied is applied later in this turn, when the script waits; completions come between sets.
  private func carryOut(_ effects: [DataEffect<CollectionSource>], for collection: ScriptCollection) {
    for effect in effects {
      switch effect {
      case .apply(let revision, _):
        later { [unowned self] in carryOut(collection.readerApplied(revision), for: collection) }
      case .complete(let number):
        if let completion = collection.takeCompletion(number) { complete(completion, isFinished: true) }
      case .resume(let token):
        if let task = collection.takeWaiting(token) { resume(task) { _ in 0 } }
      case .perform, .hurry, .cancel, .relaidOut: break
      }
    }
  }

  /// Calls a completion as a task of its own, so that it may wait.
  private func complete(_ completion: LuaReference, isFinished: Bool) {
    guard !isStopping else { return }
    let stack = state.stack
    stack.push(completion)
    let task = makeTask(
      settings: running?.settings ?? RequestSettings(), place: stack.placeOfFunction(at: -1))
    task.coroutine.stack.push(isFinished)
    begin(task, arguments: 1)
  }
}

/// What the prelude passes.
extension Workflow {
  /// The value at `index`, kept; nil for nothing.
  func reference(_ call: HostFunctionCall, at index: Int) -> LuaReference? {
    guard !call.stack.isNil(at: index) else { return nil }
    call.stack.pushCopy(of: index)
    return call.stack.popReference(in: state)
  }

  /// The four functions from `index` on.
  func collectionSource(_ call: HostFunctionCall, at index: Int) -> CollectionSource {
    func function(_ offset: Int) -> LuaReference {
      call.stack.pushCopy(of: index + offset)
      return call.stack.popReference(in: state)
    }
    let functions = CollectionSource.Functions(
      numberOfSections: function(0), numberOfItems: function(1), item: function(2), sectionID: function(3))
    return CollectionSource(state: state, title: call.name, content: .asked(functions))
  }

  /// A field's name, a function, or nothing for the field `id`.
  func itemIdentity(_ call: HostFunctionCall, at index: Int) -> ItemIdentity {
    ItemIdentity(
      state: state, field: call.stack.string(at: index) ?? "id",
      function: call.stack.isFunction(at: index) ? reference(call, at: index) : nil, title: call.name)
  }

  /// All that a source has.
  func identifiedSections(
    _ source: CollectionSource, _ identity: ItemIdentity
  ) throws -> [IdentifiedSection] {
    try (0..<source.sectionCount()).map { section in
      let values = try (0..<source.itemCount(ofSection: section)).compactMap {
        try source.model(at: ItemPath(section: section, item: $0))
      }
      return IdentifiedSection(
        id: try source.context(ofSection: section), elements: try identity.identify(values, section: section))
    }
  }
}
