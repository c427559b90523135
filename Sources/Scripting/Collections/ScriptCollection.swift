import Items
import Listing
import Lua
import Paging

/// A script's collection: its change sets from the first operation until they are visible.
///
/// Its reader applies changes at the end of a turn: when the script waits or ends. Until then pending is ahead of
/// visible. The first load is visible at once.
final class ScriptCollection {
  /// How moves are treated.
  let moves: MoveStyle
  private(set) var controller = DataController<CollectionSource>(making: .onDemand)
  private var batch: BatchUpdate?
  /// Number of open batches: one per running function, plus those begun explicitly.
  private var depth = 0
  /// The depths of the running functions.
  private var scopes: [Int] = []
  private var last: Last?
  /// Whether the script's data is being queried: then the script must not use the collection.
  private var isReading = false
  private var lastNumber = 0
  /// The script's functions to call when a set is visible.
  private var completions: [Int: LuaReference] = [:]
  /// Tasks that wait for the pending changes.
  private var waiting: [Int: ScriptTask] = [:]

  init(moves: MoveStyle) { self.moves = moves }

  /// Whether operations are being collected.
  var isOpen: Bool { batch != nil }

  /// Maximum nesting of batch functions.
  static let nestingLimit = 30

  /// Whether another batch function may run inside the current ones.
  var canNest: Bool { scopes.count < Self.nestingLimit }

  /// Throws if the collection is querying its data.
  func checkIdle(_ title: String) throws {
    guard isReading else { return }
    throw HostFunctionError.misuse(
      "\(title): the collection is reading its data: numberOfSections, numberOfItems and item only return what "
        + "there is")
  }

  /// Runs `body` while the collection is locked.
  func whileReading<Result>(_ body: () throws -> Result) rethrows -> Result {
    isReading = true
    defer { isReading = false }
    return try body()
  }

  /// Loads the data for the first time, at once.
  func load(from source: CollectionSource) throws {
    try whileReading {
      for case .apply(let revision, _) in try controller.loadIfNeeded(from: source) {
        _ = controller.readerApplied(revision)
      }
    }
  }
}

extension ScriptCollection {
  /// Opens a batch, or one inside the open one.
  func begin(isScope: Bool) {
    if batch == nil { batch = BatchUpdate(oldCounts: controller.pending.counts, moves: moves) }
    batch?.begin()
    depth += 1
    if isScope { scopes.append(depth) }
  }

  /// Closes a batch; returns the whole batch if it was the outermost.
  func end(completion: LuaReference?, isScope: Bool) throws(UpdateError) -> BatchUpdate? {
    guard depth > (isScope ? 0 : scopes.last ?? 0), !isScope || depth == scopes.last else {
      throw UpdateError(.unbalancedEnd)
    }
    if isScope { scopes.removeLast() }
    depth -= 1
    guard try batch?.end(completion: completion.map(register)) == true else { return nil }
    defer { batch = nil }
    return batch
  }

  /// A function failed: closes what it left open. Its operations stay in an outer batch, since the data has changed
  /// too; without one, returns the finished batch.
  func abandonScope() -> BatchUpdate? {
    let level = scopes.popLast() ?? 1
    while depth >= level {
      depth -= 1
      _ = try? batch?.end()
    }
    guard depth == 0 else { return nil }
    defer { batch = nil }
    return batch
  }

  /// Adds an operation to the open batch.
  func submit(_ operation: BatchOperation) throws(UpdateError) { try batch?.submit(operation) }

  /// Submits a whole batch, which becomes pending.
  func submit(_ batch: BatchUpdate, from source: CollectionSource) throws -> [DataEffect<CollectionSource>] {
    let effects = try whileReading { try controller.submit(batch, from: source) }
    last = .batch(batch, counts: controller.pending.counts)
    return effects
  }

  /// Submits a difference, which becomes pending.
  func submit(
    _ changes: PathChanges, completion: Int?, from source: CollectionSource
  ) throws -> [DataEffect<CollectionSource>] {
    let effects = try whileReading {
      try controller.submit(changes, from: source, completion: completion)
    }
    last = .changes(changes)
    return effects
  }

  /// The last submitted change set.
  var lastChangeSet: PathChanges? {
    switch last {
    case nil: return nil
    case .changes(let changes): return changes
    case .batch(var batch, let counts): return try? batch.complete(newCounts: counts)
    }
  }

  /// A change set as submitted; most are never looked at again.
  private enum Last {
    case batch(BatchUpdate, counts: [Int])
    case changes(PathChanges)
  }

  /// The reader has applied everything up to a revision.
  func readerApplied(_ revision: Int) -> [DataEffect<CollectionSource>] { controller.readerApplied(revision) }
}

extension ScriptCollection {
  /// A batch of these operations.
  func batch(of operations: [BatchOperation], completion: LuaReference?) throws(UpdateError) -> BatchUpdate {
    var batch = BatchUpdate(oldCounts: controller.pending.counts, moves: moves)
    batch.begin()
    for operation in operations { try batch.submit(operation) }
    try batch.end(completion: completion.map(register))
    return batch
  }

  /// Keeps the task until everything pending is visible; false if it already is, or while a batch is open.
  func wait(_ task: () throws -> ScriptTask) rethrows -> Bool {
    guard controller.isProcessing, !isOpen else { return false }
    let task = try task()
    lastNumber += 1
    waiting[lastNumber] = task
    _ = controller.wait(lastNumber)
    return true
  }

  /// Removes and returns a waiting task.
  func removeWaiting(_ token: Int) -> ScriptTask? { waiting.removeValue(forKey: token) }

  /// Removes and returns a registered completion.
  func removeCompletion(_ number: Int) -> LuaReference? { completions.removeValue(forKey: number) }

  /// Keeps a function to call when a set is visible; returns its number.
  func register(_ completion: LuaReference) -> Int {
    lastNumber += 1
    completions[lastNumber] = completion
    return lastNumber
  }
}
