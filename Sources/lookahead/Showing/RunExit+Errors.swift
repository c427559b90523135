import Lua
import Paging

extension RunExit {
  /// What an error of a run means for its caller.
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
    case nil, "script", "repeatedKey", "notCompleted": self = .script
    case "usage": self = .usage
    case "sink": self = .output
    case HostFailure.Code.denied.rawValue: self = .denied
    case HostFailure.Code.limit.rawValue: self = .budget
    case HostFailure.Code.timeout.rawValue, HostFailure.Code.rateLimited.rawValue:
      self = .passing
    case HostFailure.Code.http.rawValue, HostFailure.Code.network.rawValue:
      self = error.fields["isTransient"] == .boolean(true) ? .passing : .failed
    default: self = .failed
    }
  }
}
