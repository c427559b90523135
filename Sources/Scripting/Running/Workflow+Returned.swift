import Lua
import Paging

/// What a script returned: sources to be read into the sink.
extension Workflow {
  /// Opens the source, or each of the list, that the script returned; anything else is nothing to read, and false.
  func openReturned(_ stack: LuaStack, results: Int) throws -> Bool {
    let value = stack.count - results + 1
    guard stack.isTable(at: value) else { return false }
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
          if definitions.isEmpty { return false }
          throw LuaError(
            .runtime,
            "the script returned a list of sources whose element \(position) is a \(stack.typeName(at: -1))")
        }
        try add(at: -1)
      }
    }
    let chosen = try choose(definitions)
    if let browse = options.browse {
      try openBrowsed(chosen, prefetchers, browse)
      return true
    }
    let hasStreams = definitions.count > 1
    if let refusal = options.refuseStreams(hasStreams ? chosen.map(\.name) : []) {
      throw LuaError(refusal, code: "sink")
    }
    for definition in chosen {
      _ = try open(definition, kind: .sink(stream: hasStreams ? definition.name : nil))
    }
    return true
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

extension LuaError {
  /// Whatever the host could not do, in words.
  init(any error: any Error) {
    switch error {
    case let error as LuaError: self = error
    case HostFunctionError.misuse(let message): self.init(.runtime, message)
    case let error as PolicyTextError: self.init(.runtime, error.sentence)
    case let error as InvalidConfiguration: self.init(.runtime, error.text)
    default: self.init(.runtime, "\(error)")
    }
  }
}
