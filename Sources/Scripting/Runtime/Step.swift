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

  init(_ key: String, of task: ScriptTask, leave: @escaping (Step) -> Void) {
    (self.key, self.task, self.leave) = (key, task, leave)
  }

  /// The task has ended, however it did.
  func ended(_ task: ScriptTask) { if task === self.task, !isOver { leave(self) } }
}
