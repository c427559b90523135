import Items
import Listing
import Paging

/// Plays host and reader of a data controller; jobs and the reader's answers wait until they are asked for.
struct DataRig {
  typealias Controller = DataController<ListSource>

  var controller: Controller
  let source: ListSource
  var jobs: [Job<ListSource>] = []
  var batches: [[Job<ListSource>]] = []
  var synchronous: [Bool] = []
  var applies: [(revision: Int, changes: [ElementChange<ListSource>])] = []
  var completed: [Int] = []
  var resumed: [Int] = []
  var hurried: [[JobID]] = []
  var cancelled: [JobID] = []
  var submissions = 0

  init(_ source: ListSource, making: Controller.Making = .everything, coalesces: Bool = true) {
    self.source = source
    controller = Controller(making: making, coalesces: coalesces, batchSize: 2)
  }

  /// Loaded and visible.
  init(loaded source: ListSource, making: Controller.Making = .everything, coalesces: Bool = true) throws {
    self.init(source, making: making, coalesces: coalesces)
    accept(try controller.reloadData(from: source))
    settle()
    _ = source.takeCalls()
  }

  mutating func accept(_ effects: [DataEffect<ListSource>]) {
    for effect in effects {
      switch effect {
      case .perform(let jobs, let isSynchronous):
        self.jobs += jobs
        batches.append(jobs)
        synchronous.append(isSynchronous)
      case .hurry(let ids): hurried.append(ids)
      case .cancel(let ids):
        cancelled += ids
        jobs.removeAll { ids.contains($0.id) }
      case .apply(let revision, let changes): applies.append((revision, changes))
      case .complete(let token): completed.append(token)
      case .resume(let token): resumed.append(token)
      }
    }
  }

  /// Edits the data and submits what was done as one batch.
  mutating func update(
    completion: Int? = nil, moves: MoveStyle = .real, _ operations: [BatchOperation],
    _ edit: (inout [[String]]) -> Void
  ) throws {
    var batch = try BatchUpdate(oldCounts: controller.oldCounts(from: source), moves: moves)
    batch.begin()
    edit(&source.sections)
    for operation in operations { try batch.submit(operation) }
    try batch.end(completion: completion)
    accept(try controller.submit(batch, from: source))
  }

  /// Does one of the waiting jobs.
  mutating func work(_ index: Int = 0) {
    let job = jobs.remove(at: index)
    let product =
      switch job.work {
      case .make(let factory): factory
      case .adopt(let model, _): model
      }
    accept(controller.jobFinished(job.id, product: product))
  }

  /// The reader shows what it was told last.
  mutating func show() {
    accept(controller.readerApplied(applies.removeFirst().revision))
  }

  /// Does all that waits, until nothing does.
  mutating func settle() {
    while !jobs.isEmpty || !applies.isEmpty {
      if jobs.isEmpty { show() } else { work() }
    }
  }

  /// What the reader shows, as it was made.
  var shown: [[String]] { products(controller.visible) }

  /// Models of the newest data.
  var newest: [[String]] { controller.pending.sections.map { $0.items.map { $0.model ?? "" } } }

  private func products(_ map: ElementMap<ListSource>) -> [[String]] {
    map.sections.map { $0.items.map { controller.product(of: $0.id) ?? "unmade" } }
  }
}
