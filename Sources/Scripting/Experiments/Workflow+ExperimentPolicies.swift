import Lua
import Paging

/// Policies that a session of the lab is given, made anew for each.
extension Workflow {
  /// The policy that `policyFields` stand for.
  ///
  /// It decides in this state, on its thread. What a script's policy keeps in its parameters lives as long as the session;
  /// what it keeps elsewhere goes on from session to session, so that the order of sessions would count.
  func experimentPolicy(_ fields: DefinitionFields) throws -> ExperimentPolicy {
    let name = fields.text("name") ?? ""
    if fields.boolean("isBuiltIn") == true { return try builtIn(name) }
    var parameters: [String: Double] = [:]
    if let table = fields.table("parameters") {
      parameters = table.namedNumbers
      table.end()
    }
    guard let policy = fields.reference("policy", in: state) else {
      throw HostFunctionError.misuse("lookahead.experiment: policies: there is no policy '\(name)'")
    }
    let warning = FirstWarning { [observe = options.observe] in
      observe(.logged(level: "warn", message: "policy '\(name)': \($0)", fields: []))
    }
    return ExperimentPolicy(name: name, parameters: parameters) { [self] values in
      try tuned(policy, values) { warning.show($0) }
    }
  }

  /// The same as on the command line, with the same parameters. No session begins after the script was stopped.
  private func builtIn(_ text: String) throws -> ExperimentPolicy {
    do throws(PolicyTextError) {
      let policy = try ExperimentPolicy(builtIn: text)
      return ExperimentPolicy(name: policy.name, parameters: policy.parameters) { [state] values in
        if state.isStopped { throw LuaError(.stopped(.interrupted), "interrupted") }
        return try policy.make(values)
      }
    } catch {
      throw HostFunctionError.misuse(error.sentence)
    }
  }

  private func tuned(
    _ policy: LuaReference, _ values: [String: Double], report: @escaping (String) -> Void
  ) throws -> any FetchPolicy {
    let stack = state.stack
    library.pushEntry("tuned", on: stack)
    stack.push(policy)
    stack.pushTable(fields: values.count)
    for (name, value) in values { stack.setField(name, of: -1, to: .number(value)) }
    try state.call(arguments: 2, results: 1)
    defer { stack.pop() }
    return try self.policy(DefinitionFields(stack: stack, table: stack.absolute(-1)), report: report)
  }
}

/// Shows a warning once, however many sessions have it.
private final class FirstWarning {
  private let warn: (String) -> Void
  private var wasShown = false

  init(_ warn: @escaping (String) -> Void) { self.warn = warn }

  func show(_ message: String) {
    if !wasShown { warn(message) }
    wasShown = true
  }
}
