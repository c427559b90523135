import Hosting
import Listing
import Paging
import Terminal

/// Rows are measured on other threads, ahead of what is seen.
extension BrowseProgram {
  /// Measures rows from now on, until `stopMeasuring`; answers come by way of the mailbox.
  func measureRows(posting mailbox: Mailbox) {
    rowRunner = JobRunner(
      name: "rows", post: { mailbox.post($0) }, work: RowSource.row,
      done: { [unowned self] job, row in
        if let row = try? row.get() { carryOut(model.rowWindow.finished(job, row)) }
      })
  }

  /// Drops what is still to be measured, and returns when the threads are gone.
  func stopMeasuring() {
    rowRunner?.finish()
    rowRunner = nil
  }

  func carryOut(_ effects: [DataEffect<RowSource>]) {
    for effect in effects {
      switch effect {
      case .perform(let jobs, let isSynchronous): rowRunner?.perform(jobs, isSynchronous: isSynchronous)
      case .hurry(let jobs): rowRunner?.hurry(jobs)
      case .cancel(let jobs): rowRunner?.cancel(jobs)
      // Rows are drawn from what is pending.
      case .apply, .complete, .resume, .relaidOut: break
      }
    }
  }
}
