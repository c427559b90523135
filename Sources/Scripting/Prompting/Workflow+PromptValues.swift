import Lua

/// Values of a session, found without calling anything of the script.
extension Workflow {
  /// The sources that the script returned, then those in variables of the session; by name, each name once.
  public var promptSources: [(name: String, value: PromptValue)] {
    guard let prompt, running == nil else { return [] }
    forgetIdleStop()
    let stack = state.stack
    var found: [(name: String, value: PromptValue)] = []
    func add(_ value: PromptValue) {
      stack.push(value.reference)
      defer { stack.pop() }
      guard let name = sourceName(at: stack.count), !found.contains(where: { $0.name == name }) else {
        return
      }
      found.append((name, value))
    }
    for value in prompt.returned {
      add(value)
      for element in elements(of: value) { add(element) }
    }
    for variable in variables(of: prompt) { add(variable) }
    return found
  }

  /// The value that a path as `feed.fetch` or `list[3].id` leads to; nil when it leads to none.
  public func value(at path: String) -> PromptValue? {
    guard prompt != nil, running == nil, let path = LuaPath(path), path.root != .text else { return nil }
    let stack = state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    push(path)
    if stack.isNil(at: -1) { return nil }
    return PromptValue(from: stack, in: state)
  }

  /// Where a function of the script, a module or a line is, and its text; nil for any other value.
  public func source(of value: PromptValue) -> FunctionSource? {
    state.stack.push(value.reference)
    defer { state.stack.pop() }
    guard let place = state.stack.functionLines(at: -1), place.first > 0 else { return nil }
    let lines = place.first...max(place.first, place.last)
    return prompt?.text(place.name, lines).map { FunctionSource(name: place.name, lines: lines, text: $0) }
  }

  /// The name of the source at `index` of the state's stack; nil for what is no source.
  private func sourceName(at index: Int) -> String? {
    guard state.stack.isTable(at: index), (try? isSource(state.stack, at: index)) == true else { return nil }
    return HostObject(state.stack, at: index)?.field("name", on: state.stack) { $0.string(at: -1) }
  }

  private func elements(of value: PromptValue) -> [PromptValue] {
    let stack = state.stack
    stack.push(value.reference)
    defer { stack.pop() }
    guard stack.isTable(at: -1) else { return [] }
    return (0..<min(100, stack.length(of: -1))).map { position in
      stack.pushElement(position + 1, of: -1)
      return PromptValue(from: stack, in: state)
    }
  }

  /// The tables among the variables of the session, in the order of their names.
  private func variables(of prompt: Prompt) -> [PromptValue] {
    let stack = state.stack
    stack.push(prompt.session)
    defer { stack.pop() }
    var wanted = LuaKeys.Wanted(prefix: "")
    wanted.limit = 10_000
    return stack.keys(of: -1, wanted).keys.compactMap { key in
      stack.pushField(key.text, of: -1)
      guard stack.isTable(at: -1) else {
        stack.pop()
        return nil
      }
      return PromptValue(from: stack, in: state)
    }
  }
}

/// A Lua function as it was written.
public struct FunctionSource: Sendable, Equatable {
  /// As `feed.lua`.
  public let name: String
  /// Its first and last line.
  public let lines: ClosedRange<Int>
  /// Those lines, whole.
  public let text: String
}
