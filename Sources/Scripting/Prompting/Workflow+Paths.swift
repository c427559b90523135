import Lua

/// Ways to values, gone without calling anything.
extension Workflow {
  /// Pushes the value that a path leads to; nil where it leads astray.
  func push(_ path: LuaPath) {
    let stack = state.stack
    switch path.root {
    case .name(let name):
      guard let prompt else { return stack.pushNil() }
      stack.push(prompt.session)
      take(.field(name))
    case .text: stack.push("")
    }
    for step in path.steps { take(step) }
  }

  /// Replaces the value on the top with its field, as far as tables lead there.
  private func take(_ step: LuaPath.Step) {
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

  /// Pushes the tables that are looked through for a field of the value at `index`, in order, and says how many they are: its
  /// own, then those that `__index` leads to, or those behind an object of the host.
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
