import Lua
import Paging

/// The exit codes of the process; part of the contract.
enum RunExit: Int32, Error {
  case done = 0
  /// The run failed; what it delivered is safe.
  case failed = 1
  /// Stopped by a limit of the script's budget.
  case budget = 2
  case usage = 64
  /// The script is wrong.
  case script = 65
  case noInput = 66
  /// A bug of ours.
  case bug = 70
  /// The output cannot be written, or a driver for a database is missing.
  case output = 73
  /// A transient failure: try again later.
  case passing = 75
  case denied = 77
  case interrupted = 130
}

extension RunExit {
  /// The exit for a file beside the output that can't be written; a name that is none for it is a mistake of who gave it.
  init(unwritten failure: HostFailure) { self = failure.code == .invalid ? .usage : .output }

  /// The exit for an error of a run.
  init(_ error: LuaError) {
    switch error.kind {
    case .stopped(.interrupted): self = .interrupted
    case .stopped: self = .budget
    case .syntax, .conversion: self = .script
    case .runtime: self = RunExit(code: error.code, error)
    }
  }

  private init(code: String?, _ error: LuaError) {
    switch code {
    case nil, "script", "state", "repeatedKey", "notCompleted": self = .script
    case "usage": self = .usage
    case "sink": self = error.fields["isTransient"] == .boolean(true) ? .passing : .output
    case HostFailure.Code.noDriver.rawValue: self = .output
    case HostFailure.Code.denied.rawValue: self = .denied
    case HostFailure.Code.limit.rawValue: self = .budget
    case HostFailure.Code.timeout.rawValue, HostFailure.Code.rateLimited.rawValue:
      self = .passing
    case HostFailure.Code.http.rawValue, HostFailure.Code.network.rawValue,
      HostFailure.Code.database.rawValue:
      self = error.fields["isTransient"] == .boolean(true) ? .passing : .failed
    default: self = .failed
    }
  }
}
