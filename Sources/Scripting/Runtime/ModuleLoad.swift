/// A module that a task loads.
final class ModuleLoad {
  /// Nil where no task runs: in a policy.
  let task: ScriptTask?
  private var hasEnded = false

  init(by task: ScriptTask?) { self.task = task }

  /// Whether it has ended, or its task has before it came to that.
  var isOver: Bool { hasEnded || task?.state.isOver ?? false }

  /// Lets those go on that wait for it.
  func end() {
    hasEnded = true
    let waiting = task?.joiners.filter { $0.module === self } ?? []
    task?.joiners.removeAll { $0.module === self }
    for joiner in waiting { joiner.resume() }
  }
}
