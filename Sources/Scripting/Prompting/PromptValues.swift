import Lua

/// Values of a session, found and printed without calling anything of the script.
final class PromptValues {
  private let state: LuaState
  private let scheduler: Scheduler
  private let definitions: SourceDefinitions
  private let prompt: Prompt

  init(_ state: LuaState, _ scheduler: Scheduler, _ definitions: SourceDefinitions, _ prompt: Prompt) {
    self.state = state
    self.scheduler = scheduler
    self.definitions = definitions
    self.prompt = prompt
  }

  private var globals: SessionGlobals { prompt.globals }

  /// The sources the script returned, then those in session variables; by name, without duplicates.
  var sources: [(name: String, value: PromptValue)] {
    guard scheduler.running == nil else { return [] }
    prompt.forgetIdleStop()
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
    for variable in variables { add(variable) }
    return found
  }

  /// The value at a path such as `feed.fetch` or `list[3].id`; nil if there is none.
  func value(at path: String) -> PromptValue? {
    guard scheduler.running == nil, let path = LuaPath(path), path.root != .text else { return nil }
    let stack = state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    push(path)
    if stack.isNil(at: -1) { return nil }
    return PromptValue(from: stack, in: state)
  }

  /// The location and the text of a function of the script, a module or a line; nil for any other value.
  func source(of value: PromptValue) -> FunctionSource? {
    state.stack.push(value.reference)
    defer { state.stack.pop() }
    guard let place = state.stack.functionLines(at: -1), place.first > 0 else { return nil }
    let lines = place.first...max(place.first, place.last)
    return globals.text(place.name, lines).map { FunctionSource(name: place.name, lines: lines, text: $0) }
  }

  /// The name of the source at `index` of the state's stack; nil if it is not a source.
  private func sourceName(at index: Int) -> String? {
    guard state.stack.isTable(at: index), (try? definitions.isSource(state.stack, at: index)) == true else {
      return nil
    }
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

  /// The tables among the session variables, sorted by name.
  private var variables: [PromptValue] {
    let stack = state.stack
    stack.push(globals.session)
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

  /// Pushes the value at a path; nil if there is none.
  func push(_ path: LuaPath) {
    let stack = state.stack
    switch path.root {
    case .name(let name):
      stack.push(globals.session)
      step(into: .field(name))
    case .text: stack.push("")
    }
    for next in path.steps { step(into: next) }
  }

  /// Replaces the value on top with its field, as far as tables lead there.
  private func step(into step: LuaPath.Step) {
    let stack = state.stack
    let value = stack.count
    var isFound = false
    for table in value + 1..<value + 1 + pushLookup(of: value) where !isFound {
      switch step {
      case .field(let name): stack.pushField(name, of: table)
      case .position(let position):
        if stack.unmadeRows(at: table) != nil {
          stack.pushRow(Int(position), of: table)
        } else {
          stack.pushElement(Int(position), of: table)
        }
      }
      isFound = !stack.isNil(at: -1)
      if !isFound { stack.pop() }
    }
    if !isFound { stack.pushNil() }
    stack.insert(at: value)
    stack.truncate(to: value)
  }

  /// Pushes the tables searched for a field of the value at `index`, in order, and returns their number: its own, then
  /// those behind `__index`, or those behind a host object.
  func pushLookup(of index: Int, withRecord: Bool = true) -> Int {
    let stack = state.stack
    let first = stack.count + 1
    guard stack.reserve(40) else { return 0 }
    var current = index
    if stack.isTable(at: index) {
      stack.pushCopy(of: index)
      if let object = HostObject(stack, at: index) {
        if withRecord || !object.hasNames(on: stack) { _ = object.push(.record, on: stack) }
        _ = object.push(.methods, on: stack)
        return stack.count - first + 1
      }
      current = first
    }
    var seen: [UInt?] = []
    while seen.count < 20, stack.pushMetatable(of: current) {
      stack.pushField("__index", of: -1)
      stack.remove(at: stack.count - 1)
      let identity = stack.identity(at: -1)
      guard stack.isTable(at: -1), !seen.contains(identity) else {
        stack.pop()
        break
      }
      seen.append(identity)
      current = stack.count
    }
    return stack.count - first + 1
  }
}

/// The source text of a Lua function.
public struct FunctionSource: Sendable, Equatable {
  /// Such as `feed.lua`.
  public let name: String
  /// Its first and last line.
  public let lines: ClosedRange<Int>
  /// Those lines, in full.
  public let text: String
}
