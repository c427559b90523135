import Lua

/// The variables of a script that some of its functions reach, as they were at a moment: without calling anything, and without
/// holding what they hold.
struct ScriptVariables {
  private struct Variable: Hashable {
    let name: String
    /// The function that holds it, and the number there; nil for a global.
    var function: UInt = 0
    var number = 0
  }

  private var contents: [Variable: Int] = [:]
  private var seen: Set<UInt> = []
  /// Values that are still looked at; those behind are taken to be as they were.
  private var left = 20_000

  /// Those of the functions in the table.
  init(ofFunctionsIn table: LuaReference, _ stack: LuaStack) {
    stack.push(table)
    stack.forEachPair(of: -1) { note(functionAt: $0.count, $0) }
    stack.pop()
  }

  /// The names of the variables that hold something else than they did then, in alphabetical order.
  func changed(since then: ScriptVariables) -> [String] {
    Set(contents.filter { $0.value != then.contents[$0.key] }.map(\.key.name)).sorted()
  }

  /// Notes the variables of a function of the script, and of the functions among them.
  private mutating func note(functionAt index: Int, _ stack: LuaStack) {
    guard let place = stack.functionLines(at: index), !place.name.hasPrefix("lookahead:"),
      let identity = stack.identity(at: index), seen.insert(identity).inserted
    else { return }
    var number = 1
    while let name = stack.pushUpvalue(number, of: index) {
      if name == "_ENV" {
        noteGlobals(stack)
      } else {
        note(Variable(name: name, function: identity, number: number), stack)
      }
      stack.pop()
      number += 1
    }
  }

  private mutating func noteGlobals(_ stack: LuaStack) {
    guard let identity = stack.identity(at: -1), seen.insert(identity).inserted else { return }
    stack.forEachPair(of: -1) { stack in
      if let name = stack.shownString(at: -2) { note(Variable(name: name), stack) }
    }
  }

  /// Notes what is on the top.
  private mutating func note(_ variable: Variable, _ stack: LuaStack) {
    if stack.isFunction(at: -1) { note(functionAt: stack.count, stack) }
    var within: Set<UInt> = []
    contents[variable] = content(stack, within: &within)
  }

  /// What tells what is on the top from what it was before.
  private mutating func content(_ stack: LuaStack, within tables: inout Set<UInt>) -> Int {
    left -= 1
    var hasher = Hasher()
    guard let identity = stack.identity(at: -1) else {
      hasher.combine(stack.typeName(at: -1))
      hasher.combine(stack.value(at: -1).map { "\($0)" })
      return hasher.finalize()
    }
    hasher.combine(identity)
    guard left > 0, stack.isTable(at: -1), HostObject(stack, at: stack.count) == nil,
      stack.unmadeRows(at: -1) == nil, tables.insert(identity).inserted
    else { return hasher.finalize() }
    // The order of pairs says nothing.
    var members = 0
    stack.forEachPair(of: -1) { stack in
      guard left > 0 else { return }
      var pair = Hasher()
      pair.combine(content(stack, within: &tables))
      stack.pushCopy(of: -2)
      pair.combine(content(stack, within: &tables))
      stack.pop()
      members &+= pair.finalize()
    }
    hasher.combine(members)
    return hasher.finalize()
  }
}
