import Hosting
import Items
import Listing
import Paging
import Synchronization

/// A data controller whose jobs a runner does, and a reader that shows at once what it is told.
final class JobRig {
  let inbox = Inbox()
  var controller: DataController<NumberRows>
  private(set) var runner: JobRunner<NumberRows>!
  /// What was visible after each set, as it was made.
  var shown: [[String]] = []
  var completed: [Int] = []
  var failed = 0
  private var numbers: [Int] = []

  init(
    workers: Int, coalesces: Bool = true, mode: ProcessingMode = .alwaysAsynchronous,
    work: @escaping @Sendable (Job<NumberRows>.Work) throws -> String
  ) {
    controller = DataController(coalesces: coalesces)
    controller.processingMode = mode
    runner = JobRunner(
      name: "rig", workers: workers, post: { [inbox] in inbox.post($0) }, work: work,
      done: { [unowned self] in answer($0, $1) })
  }

  deinit { runner.finish() }

  private func answer(_ job: JobID, _ answer: JobRunner<NumberRows>.Answer) {
    switch answer {
    case .success(let text): carryOut(controller.jobFinished(job, product: text))
    case .failure:
      failed += 1
      carryOut(controller.jobFailed(job))
    }
  }

  func carryOut(_ effects: [DataEffect<NumberRows>]) {
    for effect in effects {
      switch effect {
      case .perform(let jobs, let isSynchronous): runner.perform(jobs, isSynchronous: isSynchronous)
      case .hurry(let jobs): runner.hurry(jobs)
      case .cancel(let jobs): runner.cancel(jobs)
      case .apply(let revision, _):
        let effects = controller.readerApplied(revision)
        shown.append(visible)
        carryOut(effects)
      case .complete(let number): completed.append(number)
      case .resume: break
      }
    }
  }

  /// The numbers become these, as one set; those that stay are adopted anew where `remakes` says so.
  func show(_ new: [Int], completion: Int, remakes: Bool = false) throws {
    let changes = new.difference(from: numbers, id: { $0 }, isContentEqual: { _, _ in !remakes })
    var batch = BatchUpdate(oldCounts: try controller.oldCounts(from: NumberRows(numbers: numbers)))
    batch.begin()
    if controller.isLoaded {
      try submit(changes.deletions, to: &batch) { .deleteItems($0) }
      try submit(changes.insertions, to: &batch) { .insertItems($0) }
      let moving = Set(changes.moves.map(\.from))
      try submit(changes.updates.map(\.from).filter { !moving.contains($0) }, to: &batch) { .reloadItems($0) }
      for move in changes.moves {
        try batch.submit(.moveItem(from: ItemPath(item: move.from), to: ItemPath(item: move.to)))
      }
    } else {
      try batch.submit(.reloadData)
    }
    try batch.end(completion: completion)
    numbers = new
    carryOut(try controller.submit(batch, from: NumberRows(numbers: new)))
  }

  private func submit(
    _ items: [Int], to batch: inout BatchUpdate, _ operation: ([ItemPath]) -> BatchOperation
  ) throws {
    if !items.isEmpty { try batch.submit(operation(items.map { ItemPath(item: $0) })) }
  }

  /// What the reader shows.
  var visible: [String] {
    controller.visible.sections.flatMap { $0.items.map { controller.product(of: $0.id) ?? "unmade" } }
  }
}
