import DequeModule
import Paging

/// Tasks that have the sink read one source after the other, and wait until one of them is at its end, and the sink is not
/// behind: what it has not taken yet would grow with every source.
final class SinkRoom {
  private let scheduler: Scheduler
  private let tally: Tally
  private let outbox: Outbox
  private var waiting: Deque<ScriptTask> = []

  init(_ scheduler: Scheduler, _ tally: Tally, _ outbox: Outbox) {
    self.scheduler = scheduler
    self.tally = tally
    self.outbox = outbox
  }

  /// Resumes the task when the sink has read one of its sources to the end.
  func wait(_ task: ScriptTask) { waiting.append(task) }

  /// A source is read to its end, which may be a partition that the script has listed, or was `before` this run.
  func ended(isPartition: Bool, before: Bool = false) {
    if isPartition { tally.statistics.partitions.done += 1 }
    if isPartition && before { tally.statistics.partitions.doneBefore += 1 }
    guard let task = waiting.popFirst() else { return }
    if outbox.isFull { outbox.block(task) } else { scheduler.resume(task) { _ in 0 } }
  }
}
