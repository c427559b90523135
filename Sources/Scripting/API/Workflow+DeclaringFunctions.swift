import Lua
import Paging

/// Host functions that a script calls while it is loaded.
extension Workflow {
  func defineDeclaring(in host: HostTable) {
    host.add("scriptName") { [unowned self] call in
      call.stack.push(options.sourceName)
      return .results(1)
    }
    host.add("length") { call in
      call.stack.push(
        call.stack.isTable(at: 1) ? call.stack.unmadeRows(at: 1) ?? call.stack.length(of: 1) : 0)
      return .results(1)
    }
    host.add("taskPlace") { [unowned self] call in
      guard let place = running?.place else { return .nothing }
      call.stack.push(place)
      return .results(1)
    }
    host.add("checkDefinition", "lookahead.source") { [unowned self] call in checkDefinition(call) }
    host.add("checkPolicyName", "lookahead.policy") { call in
      let name = call.stack.string(at: 1) ?? ""
      do throws(PolicyTextError) {
        _ = try BuiltInPolicies.policy(name)
        return .nothing
      } catch {
        call.stack.push(error.sentence)
        return .results(1)
      }
    }
    host.add("declared", "lookahead.source") { [unowned self] call in
      try declare(DefinitionFields(stack: call.stack, table: 1))
      return .nothing
    }
    host.add("parameter", "lookahead.parameters") { [unowned self] call in parameter(call) }
    host.add("missingParameter", "lookahead.parameters") { [unowned self] call in
      try missingParameter(call)
    }
    host.add("loadModule", "require") { [unowned self] call in loadModule(call) }
  }

  /// checkDefinition(definition) → nothing, or what is wrong with its numbers
  private func checkDefinition(_ call: HostFunctionCall) -> HostFunctionAnswer {
    do throws(InvalidConfiguration) {
      _ = try SourceDefinition(
        state, at: 1, on: call.stack, overrides: SourceOverrides(), seed: options.seed)
      return .nothing
    } catch {
      call.stack.push(error.text)
      return .results(1)
    }
  }

  private func declare(_ fields: DefinitionFields) throws(InvalidConfiguration) {
    var needs: [String: [String]] = [:]
    if let table = fields.table("needs") {
      for kind in ["net", "read", "write", "env"] {
        guard let list = table.table(kind) else { continue }
        needs[kind] = list.texts
        list.end()
      }
      table.end()
    }
    declarations.sources.append(
      DeclaredSource(
        name: fields.text("name") ?? "", keys: fields.text("keys") ?? "cursor",
        pageSize: try fields.count("pageSize") ?? 20, hasFetch: !fields.isAbsent("fetch"), needs: needs))
  }

  /// parameter(name, declaration) → what the run gave for it, or nothing
  private func parameter(_ call: HostFunctionCall) -> HostFunctionAnswer {
    let fields = DefinitionFields(stack: call.stack, table: 2)
    let name = call.stack.string(at: 1) ?? ""
    let isSecret = fields.boolean("secret") ?? false
    let shown = call.stack.field("default", of: 2) { $0.isNil(at: $1) ? "" : $0.describe(at: $1) }
    declarations.parameters.append(
      DeclaredParameter(
        name: name, help: fields.text("help") ?? "", type: fields.text("type") ?? "string",
        isRequired: fields.boolean("required") ?? false, isSecret: isSecret,
        defaultText: isSecret ? "" : shown))
    guard let given = options.parameters[name] else { return .nothing }
    call.stack.push(given)
    return .results(1)
  }

  /// missingParameter(name, type) → a stand-in when only declaring
  private func missingParameter(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let name = call.stack.string(at: 1) ?? ""
    guard options.isCheck else {
      let isSecret = declarations.parameters.contains { $0.name == name && $0.isSecret }
      let option = isSecret ? "--secret \(name)=@FILE or \(name)=env:VARIABLE" : "--param \(name)=…"
      let message = "parameter '\(name)' is required: give it with \(option)"
      library.push(LuaError(.runtime, message, code: "usage"), on: call.stack)
      throw HostFunctionError.value
    }
    switch call.stack.string(at: 2) {
    case "integer", "number": call.stack.push(0)
    case "boolean": call.stack.push(false)
    default: call.stack.push("")
    }
    return .results(1)
  }

  /// loadModule(name) → its function, or nothing and what is wrong
  private func loadModule(_ call: HostFunctionCall) -> HostFunctionAnswer {
    let stack = call.stack
    let name = stack.string(at: 1) ?? ""
    guard let module = options.loadModule(name) else {
      stack.pushNil()
      stack.push("no module '\(name)' below the script's folder")
      return .results(2)
    }
    prompt?.keep(module.text, name: module.name)
    do {
      try library.load(module.text, name: module.name, in: state)
      state.stack.move(1, to: stack)
      return .results(1)
    } catch {
      stack.pushNil()
      stack.push(error.message)
      return .results(2)
    }
  }
}
