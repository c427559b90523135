import Items
import Listing
import Lua
import Paging

/// A collection of a script: its change sets from the first operation until they are visible.
///
/// Its reader takes changes at the end of a turn: when the script waits, or is over. Until then pending is ahead
/// of visible. The first load is visible at once.
final class ScriptCollection {
  /// What becomes of moves.
  let moves: MoveStyle
  private(set) var controller = DataController<CollectionSource>(making: .onDemand)
  private var batch: BatchUpdate?
  /// Batches that are open; each function that runs is one, those begun by hand are others.
  private var depth = 0
  /// The depths of the functions that run.
  private var scopes: [Int] = []
  private var last: Last?
  /// Whether the script is asked for its data just now: then it may not touch the collection.
  private var isReading = false
  private var lastNumber = 0
  /// The script's functions to be called when a set is visible.
  private var completions: [Int: LuaReference] = [:]
  /// Tasks that wait for what is pending.
  private var waiting: [Int: ScriptTask] = [:]

  init(moves: MoveStyle) { self.moves = moves }

  /// Whether operations are being gathered.
  var isOpen: Bool { batch != nil }

  /// Functions that may run inside each other.
  static let nestingLimit = 30

  /// Whether one more function may run inside those that do.
  var canNest: Bool { scopes.count < Self.nestingLimit }

  /// Throws where the collection can't be used because it is asking for its data.
  func checkIdle(_ title: String) throws {
    guard isReading else { return }
    throw HostFunctionError.misuse(
      "\(title): the collection is reading its data: numberOfSections, numberOfItems and item only return what "
        + "there is")
  }

  /// Runs `body` while the collection can't be used.
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

  /// Closes a batch; gives the whole one when it was the outermost.
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

  /// A function failed: what it left open is closed. What it submitted stays in an outer batch, as the data have
  /// changed too; gives the batch when there is none, for it is over.
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

  /// The last change set that was submitted.
  var lastChangeSet: PathChanges? {
    switch last {
    case nil: return nil
    case .changes(let changes): return changes
    case .batch(var batch, let counts): return try? batch.complete(newCounts: counts)
    }
  }

  /// A change set as it was submitted; most are never looked at again.
  private enum Last {
    case batch(BatchUpdate, counts: [Int])
    case changes(PathChanges)
  }

  /// The reader shows everything up to a revision.
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

  /// Keeps the task until everything pending is visible; false when it is, or while a batch is open.
  func wait(_ task: () throws -> ScriptTask) rethrows -> Bool {
    guard controller.isProcessing, !isOpen else { return false }
    let task = try task()
    lastNumber += 1
    waiting[lastNumber] = task
    _ = controller.wait(lastNumber)
    return true
  }

  /// The task that waited, which waits no longer.
  func removeWaiting(_ token: Int) -> ScriptTask? { waiting.removeValue(forKey: token) }

  /// The function to be called, which is kept no longer.
  func removeCompletion(_ number: Int) -> LuaReference? { completions.removeValue(forKey: number) }

  /// Keeps a function that is to be called when a set is visible; gives its number.
  func register(_ completion: LuaReference) -> Int {
    lastNumber += 1
    completions[lastNumber] = completion
    return lastNumber
  }
}
