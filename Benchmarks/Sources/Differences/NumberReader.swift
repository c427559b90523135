import Items
import Listing

/// A data controller over numbers, every job of which is done at once.
struct NumberReader {
  private var controller = DataController<NumberSource>()
  private var source = NumberSource()

  /// Whether everything is visible.
  var isComplete: Bool { controller.visible.count == source.count && !controller.isProcessing }

  /// Adds numbers behind the last and sees to it that they become visible.
  mutating func append(_ count: Int) {
    do {
      let old = source.count
      source.count += count
      guard controller.isLoaded else {
        run(try controller.loadIfNeeded(from: source))
        return
      }
      var batch = BatchUpdate(oldCounts: [old])
      try batch.submit(.insertItems((old..<source.count).map { ItemPath(item: $0) }))
      run(try controller.submit(batch, from: source))
    } catch {
      fatalError("\(error)")
    }
  }

  private mutating func run(_ effects: [DataEffect<NumberSource>]) {
    for effect in effects {
      switch effect {
      case .perform(let jobs, _):
        for job in jobs { run(controller.jobFinished(job.id, product: job.element.number)) }
      case .apply(let revision, _): run(controller.readerApplied(revision))
      case .complete, .resume, .hurry, .cancel: break
      }
    }
  }
}

/// The numbers from 0 on.
struct NumberSource: ElementSource {
  var count = 0

  func sectionCount() -> Int { 1 }
  func itemCount(ofSection section: Int) -> Int { count }
  func context(ofSection section: Int) {}
  func model(at path: ItemPath) -> Int? { path.item }
  func factory(at path: ItemPath) -> Int { path.item }
}

extension NumberSource {
  typealias Product = Int
}
