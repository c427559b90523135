import Glibc
import Hosting
import Scripting

/// What a signal handler does to a run.
final class Interruption {
  private let workflow: Workflow
  private let hurried: StopFlag

  /// Once a signal has come the flag is set.
  init(workflow: Workflow, hurried: StopFlag) {
    self.workflow = workflow
    self.hurried = hurried
  }

  func begin() {
    workflow.stopScript()
    hurried.set()
  }
}

/// The end of a run whose script was stopped and can't be reached; on another thread.
let endStuckRun: @convention(c) () -> Void = {
  standardError(
    "error: the script was stopped, but has been in one long call of Lua's library for 5 s more; "
      + "a pattern that tries everything looks like this")
  _exit(RunExit.budget.rawValue)
}
