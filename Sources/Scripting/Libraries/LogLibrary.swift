import Lua

/// Output of print and log.
final class LogLibrary: ScriptLibrary {
  private let observe: (Observation) -> Void

  init(observe: @escaping (Observation) -> Void) {
    self.observe = observe
  }

  /// Maximum bytes of a field's JSON; for a longer one its type is logged.
  private static let longestField = 64 << 10

  func register(in host: HostTable) {
    host.add("print") { [unowned self] call in
      observe(.printed(call.stack.shownString(at: 1) ?? ""))
      return .nothing
    }
    host.add("log") { [unowned self] call in
      let stack = call.stack
      var fields: [(String, LuaValue)] = []
      if stack.isTable(at: 3) {
        stack.forEachPair(of: 3) { stack in
          let value =
            stack.shownString(at: -1).map { .string($0) } ?? stack.value(at: -1)
            ?? .string((try? stack.json(at: -1, limit: Self.longestField)) ?? stack.describe(at: -1))
          fields.append((stack.shownString(at: -2) ?? stack.describe(at: -2), value))
        }
      }
      fields.sort { $0.0 < $1.0 }
      observe(
        .logged(
          level: stack.shownString(at: 1) ?? "info", message: stack.shownString(at: 2) ?? "", fields: fields))
      return .nothing
    }
  }
}
