import Lua
import Scripting

/// Errors in words: what happened, where, what was expected, what to do. The only place that words them.
enum Wording {
  /// An error of a run, for a person.
  static func text(_ error: LuaError) -> String {
    switch error.kind {
    case .syntax: "error: \(error.message)"
    case .stopped(let reason): "error: \(stop(reason))"
    case .conversion: "error: \(error.message)"
    case .runtime: "error: \(error.message)" + traceback(error) + advice(error)
    }
  }

  private static func stop(_ reason: StopReason) -> String {
    switch reason {
    case .interrupted: "interrupted; what was written is kept"
    case .time:
      "the script ran longer than it may without waiting (see --max-cpu); a loop that never ends looks like this"
    case .memory: "the script needs more memory than it may have (see --max-memory)"
    case .instructions: "a policy used up its instructions"
    }
  }

  /// The script's own lines, innermost first; the host's are of no use to its author.
  private static func traceback(_ error: LuaError) -> String {
    let lines = error.traceback.split(separator: "\n").filter {
      !$0.contains("lookahead:") && !$0.contains("[C]") && !$0.contains("(...tail calls...)")
    }
    return lines.count < 2 ? "" : "\n" + lines.joined(separator: "\n")
  }

  private static func advice(_ error: LuaError) -> String {
    switch RunExit(error) {
    case .passing: "\n  This may pass: run it again" + later(error) + "."
    default: ""
    }
  }

  private static func later(_ error: LuaError) -> String {
    guard case .number(let seconds)? = error.fields["retryAfter"] else { return " later" }
    return " in \(Amount.duration(seconds))"
  }
}
