import Glibc
import Scripting
import Terminal

extension ScriptFile {
  /// What a workflow of the script has under every command.
  var options: WorkflowOptions {
    var options = WorkflowOptions(scriptName: path, scriptFolder: folder)
    options.loadModule = { module($0) }
    options.stuck = endStuckScript
    return options
  }
}

/// Ends the process when a stopped script does not respond; called on another thread.
private let endStuckScript: @convention(c) () -> Void = {
  TerminalDevice.restore()
  standardError(
    "error: the script was stopped, but has been in one long call of Lua's library for 5 s more; "
      + "a pattern that tries everything looks like this")
  _exit(RunExit.budget.rawValue)
}
