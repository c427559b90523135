/// A step of a workflow that is under way: what its tasks emit belongs together.
final class Step {
  /// Names it in deliveries; nil where the output remembers none, and takes what it emits at once.
  var id: Int?
  let key: String
  /// The task that does it; those that it starts work for it.
  private weak var task: ScriptTask?
  /// Called where that task ends before the step does.
  private let leave: (Step) -> Void
  /// Tasks that have asked for the same meanwhile: they wait for its end.
  var waiting: [ScriptTask] = []
  /// Whether it has ended: nothing more belongs to it.
  var isOver = false
  /// Pages that it reads whose tasks have not ended, whether or not the pages have come.
  var openPages = 0
  /// Called once all of those have.
  var onPagesEnded: (() -> Void)?

  init(_ key: String, of task: ScriptTask, leave: @escaping (Step) -> Void) {
    (self.key, self.task, self.leave) = (key, task, leave)
  }

  /// The tasks of one of those have ended.
  func pageEnded() {
    openPages -= 1
    guard openPages == 0, let ended = onPagesEnded else { return }
    onPagesEnded = nil
    ended()
  }

  /// The task has ended, however it did.
  func ended(_ task: ScriptTask) { if task === self.task, !isOver { leave(self) } }
}
