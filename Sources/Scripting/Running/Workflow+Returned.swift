import Lua
import Paging

/// What a script returned: sources to be read into the sink.
extension Workflow {
  /// Opens the source, or each of the list, that the script returned; anything else is nothing to read.
  func openReturned(_ stack: LuaStack, results: Int) throws {
    let value = stack.count - results + 1
    guard stack.isTable(at: value) else { return }
    try refuseLabValue(stack, at: value)
    var definitions: [SourceDefinition] = []
    var prefetchers: [String: ScriptPrefetcher] = [:]
    func add(at index: Int) throws {
      let definition = try sealed(stack, at: index)
      definitions.append(definition)
      prefetchers[definition.name] = try prefetcher(ofSource: index, on: stack)
    }
    if try isSource(stack, at: value) {
      try add(at: value)
    } else {
      for position in stride(from: 1, through: stack.length(of: value), by: 1) {
        stack.pushElement(position, of: value)
        defer { stack.pop() }
        guard try isSource(stack, at: -1) else {
          if definitions.isEmpty { return }
          throw LuaError(
            .runtime,
            "the script returned a list of sources whose element \(position) is a \(stack.typeName(at: -1))")
        }
        try add(at: -1)
      }
    }
    try refuseUnknownParameters()
    let chosen = try choose(definitions)
    if let browse = options.browse { return try openBrowsed(chosen, prefetchers, browse) }
    let hasStreams = definitions.count > 1
    for definition in chosen {
      _ = try open(definition, kind: .sink(stream: hasStreams ? definition.name : nil))
    }
  }

  /// A value for a parameter that the script does not have is a slip of the command line.
  private func refuseUnknownParameters() throws(LuaError) {
    let names = declarations.parameters.map(\.name).sorted()
    guard let unknown = options.parameters.keys.sorted().first(where: { !names.contains($0) }) else { return }
    let known = names.isEmpty ? " (it has none)" : NearestName.hint(unknown, in: names)
    throw LuaError(.runtime, "--param \(unknown): the script has no such parameter\(known)", code: "usage")
  }

  private func choose(_ definitions: [SourceDefinition]) throws(LuaError) -> [SourceDefinition] {
    let names = definitions.map(\.name)
    if let unknown = options.sources.first(where: { !names.contains($0) }) {
      let known = names.isEmpty ? " (the script returns none)" : NearestName.hint(unknown, in: names)
      throw LuaError(.runtime, "--source \(unknown): there is no such source\(known)", code: "usage")
    }
    let repeated = Dictionary(grouping: names, by: { $0 }).first { $0.value.count > 1 }
    if let repeated {
      throw LuaError(
        .runtime, "two of the returned sources are called '\(repeated.key)': give each a name of its own")
    }
    return definitions.filter { options.sources.isEmpty || options.sources.contains($0.name) }
  }

  func isSource(_ stack: LuaStack, at index: Int) throws(LuaError) -> Bool {
    try callEntry("isSource", with: index, of: stack)
    defer { state.stack.pop() }
    return state.stack.truth(at: -1)
  }

  func sealed(_ stack: LuaStack, at index: Int) throws -> SourceDefinition {
    try callEntry("sealed", with: index, of: stack)
    defer { state.stack.pop() }
    do throws(InvalidConfiguration) {
      return try SourceDefinition(
        state, at: -1, on: state.stack, overrides: options.overrides, seed: options.seed)
    } catch {
      throw LuaError(.runtime, error.text)
    }
  }

  /// Calls a function of the prelude with one value; its result is on the top of the state's stack.
  func callEntry(_ name: String, with index: Int, of stack: LuaStack) throws(LuaError) {
    let value = stack.absolute(index)
    library.pushEntry(name, on: stack)
    stack.pushCopy(of: value)
    stack.move(2, to: state.stack)
    try state.call(arguments: 1, results: 1)
  }
}
