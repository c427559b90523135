import Dispatch
import Hosting
import Listing
import Paging
import Terminal

/// Somebody who turns pages, 60 in a second, while rows are measured.
final class Scrolling {
  private static let size = TerminalSize(columns: 120, rows: 45)
  private let list: BrowsedList
  private let inbox = Inbox()
  private var model = BrowseModel(size: size)
  private var runner: JobRunner<RowSource>?

  init(_ list: BrowsedList, workers: Int) {
    self.list = list
    guard workers > 0 else { return }
    runner = JobRunner(
      name: "rows", workers: workers, post: inbox.post, work: RowSource.row,
      done: { [unowned self] job, row in
        if let row = try? row.get() { carryOut(model.rowWindow.finished(job, row)) }
      })
  }

  deinit { runner?.finish() }

  /// Milliseconds that each screen took, from the key until it was ready to be drawn.
  func frames() -> [Double] {
    (0..<80).map { _ in
      let next = DispatchTime.now() + .microseconds(16_667)
      let time = milliseconds {
        _ = model.handle(.pageDown, list, at: .zero)
        if runner != nil { carryOut(model.prepareRows(list)) }
        _ = model.screen(list, BrowseStatus(), at: .zero)
      }
      inbox.run(until: next)
      return time
    }
  }

  private func carryOut(_ effects: [DataEffect<RowSource>]) {
    for effect in effects {
      switch effect {
      case .perform(let jobs, let isSynchronous): runner?.perform(jobs, isSynchronous: isSynchronous)
      case .hurry(let jobs): runner?.hurry(jobs)
      case .cancel(let jobs): runner?.cancel(jobs)
      case .apply, .complete, .resume: break
      }
    }
  }

  /// The jobs of one set: those of a very high screen.
  static func jobs(of list: BrowsedList) -> [Job<RowSource>] {
    var model = BrowseModel(size: TerminalSize(columns: 120, rows: 402))
    return model.prepareRows(list).flatMap { effect -> [Job<RowSource>] in
      if case .perform(let jobs, _) = effect { jobs } else { [] }
    }
  }
}
