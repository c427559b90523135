import Lua
import Paging

/// Declarations of a script while it is loaded: its sources, parameters and modules.
final class DeclaringLibrary: ScriptLibrary {
  /// What the library needs to know about the run.
  struct Options {
    /// The name of an unnamed source.
    var sourceName: String
    /// Parameters from the command line, by name.
    var parameters: [String: String]
    /// Whether required parameters get placeholders.
    var isCheck: Bool
    /// The text and the displayed name of a module.
    var loadModule: (String) -> (text: String, name: String)?
    /// What stands for a text.
    var digest: (String) -> String
  }

  private let prelude: Prelude
  private let scheduler: Scheduler
  private let definitions: SourceDefinitions
  private let options: Options
  /// The declarations so far.
  private(set) var declarations = Declarations()
  /// Called with the text and name of each loaded module.
  var keepText: (_ text: String, _ name: String) -> Void = { _, _ in }
  /// The texts that were loaded, and the parameters that choose no part of a source.
  private(set) var parts = ReadingParts()

  init(_ prelude: Prelude, _ scheduler: Scheduler, _ definitions: SourceDefinitions, _ options: Options) {
    self.prelude = prelude
    self.scheduler = scheduler
    self.definitions = definitions
    self.options = options
  }

  /// Drops all declarations: the script is reloaded.
  func startOver() { (declarations, parts) = (Declarations(), ReadingParts()) }

  /// The script has reached its end.
  func finish() { declarations.isLoaded = true }

  /// What a check says of the value that the script returned.
  func note(_ review: (hasSources: Bool, refusal: String?)) {
    (declarations.returnsNothing, declarations.refusal) = (!review.hasSources, review.refusal)
  }

  /// The part of the source that its own parameters and those of the script say, or only those of the script, as JSON; empty where none was given, or
  /// only what holds anyway.
  func partition(of definition: SourceDefinition?) throws(LuaError) -> String {
    let given = declarations.parameters.filter { parameter in
      !parameter.isSecret && parameter.isPartition
        && options.parameters[parameter.name].map { $0 != parameter.defaultText } ?? false
    }
    guard definition?.parameters != nil || !given.isEmpty else { return "" }
    let stack = prelude.state.stack
    stack.pushTable()
    let table = stack.absolute(-1)
    defer { stack.pop() }
    if let parameters = definition?.parameters {
      stack.push(parameters)
      stack.forEachPair(of: stack.absolute(-1)) { stack in
        guard stack.isString(at: -2), let name = stack.string(at: -2) else { return }
        stack.pushCopy(of: -1)
        stack.setField(name, of: table)
      }
      stack.pop()
    }
    for parameter in given {
      stack.setField(parameter.name, of: table, to: .string(options.parameters[parameter.name] ?? ""))
    }
    do throws(JSONError) {
      let text = try stack.canonicalJSON(at: table)
      return text == "{}" || text == "[]" ? "" : text
    } catch {
      let place = definition.map { "\($0.place): source '\($0.name)': its parameters" } ?? "the parameters"
      throw LuaError(.runtime, "\(place): \(error.message)")
    }
  }

  func register(in host: HostTable) {
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
      guard let place = scheduler.running?.place else { return .nothing }
      call.stack.push(place)
      return .results(1)
    }
    host.add("checkDefinition", "lookahead.source") { [unowned self] call in
      guard let mistake = definitions.mistake(call.stack, at: 1) else { return .nothing }
      call.stack.push(mistake)
      return .results(1)
    }
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

  private func declare(_ fields: DefinitionFields) throws(InvalidConfiguration) {
    var needs: [String: [String]] = [:]
    if let table = fields.table("needs") {
      for kind in ["net", "read", "write", "env"] {
        guard let list = table.table(kind) else { continue }
        needs[kind] = list.texts
        list.close()
      }
      table.close()
    }
    declarations.sources.append(
      DeclaredSource(
        name: fields.text("name") ?? "", keys: fields.text("keys") ?? "cursor",
        pageSize: try fields.count("pageSize") ?? 20, hasFetch: !fields.isAbsent("fetch"), needs: needs))
  }

  /// parameter(name, declaration) → the run's value, or nothing
  private func parameter(_ call: HostFunctionCall) -> HostFunctionAnswer {
    let fields = DefinitionFields(stack: call.stack, table: 2)
    let name = call.stack.string(at: 1) ?? ""
    let isSecret = fields.boolean("secret") ?? false
    let shown = call.stack.field("default", of: 2) { $0.isNil(at: $1) ? "" : $0.describe(at: $1) }
    declarations.parameters.append(
      DeclaredParameter(
        name: name, help: fields.text("help") ?? "", type: fields.text("type") ?? "string",
        isRequired: fields.boolean("required") ?? false, isSecret: isSecret,
        isPartition: fields.boolean("partition") ?? true, defaultText: isSecret ? "" : shown))
    let given = options.parameters[name]
    if !isSecret && fields.boolean("partition") == false {
      parts.note("parameter \(name)", digest: options.digest(given ?? shown))
    }
    guard let given else { return .nothing }
    call.stack.push(given)
    return .results(1)
  }

  /// missingParameter(name, type) → a placeholder in a check
  private func missingParameter(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let name = call.stack.string(at: 1) ?? ""
    guard options.isCheck else {
      let isSecret = declarations.parameters.contains { $0.name == name && $0.isSecret }
      let option = isSecret ? "--secret \(name)=@FILE or \(name)=env:VARIABLE" : "--param \(name)=…"
      let message = "parameter '\(name)' is required: give it with \(option)"
      prelude.push(LuaError(.runtime, message, code: "usage"), on: call.stack)
      throw HostFunctionError.value
    }
    switch call.stack.string(at: 2) {
    case "integer", "number": call.stack.push(0)
    case "boolean": call.stack.push(false)
    default: call.stack.push("")
    }
    return .results(1)
  }

  /// Leaves the function of the script or of a module on the stack of the state.
  func load(_ text: String, name: String) throws(LuaError) {
    parts.note(name, digest: options.digest(text))
    try prelude.load(text, name: name)
  }

  /// loadModule(name) → its function, or nothing and an error
  private func loadModule(_ call: HostFunctionCall) -> HostFunctionAnswer {
    let stack = call.stack
    let name = stack.string(at: 1) ?? ""
    guard let module = options.loadModule(name) else {
      stack.pushNil()
      stack.push("no module '\(name)' below the script's folder")
      return .results(2)
    }
    keepText(module.text, module.name)
    do {
      try load(module.text, name: module.name)
      prelude.state.stack.move(1, to: stack)
      return .results(1)
    } catch {
      stack.pushNil()
      stack.push(error.message)
      return .results(2)
    }
  }
}
