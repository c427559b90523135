import DequeModule
import Paging

/// Tasks that have the sink read one source after the other, and wait until one of them is at its end.
final class SinkRoom {
  private let scheduler: Scheduler
  private let tally: Tally
  private var waiting: Deque<ScriptTask> = []

  init(_ scheduler: Scheduler, _ tally: Tally) {
    self.scheduler = scheduler
    self.tally = tally
  }

  /// Resumes the task when the sink has read one of its sources to the end.
  func wait(_ task: ScriptTask) { waiting.append(task) }

  /// A source is read to its end, which may be a partition that the script has listed, or was `before` this run.
  func ended(isPartition: Bool, before: Bool = false) {
    if isPartition { tally.statistics.partitions.done += 1 }
    if isPartition && before { tally.statistics.partitions.doneBefore += 1 }
    if let task = waiting.popFirst() { scheduler.resume(task) { _ in 0 } }
  }
}
