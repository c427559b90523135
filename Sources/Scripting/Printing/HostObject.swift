import Lua

/// A host table held by scripts, such as a source or a task: recognised by a metatable whose functions are the
/// prelude's.
///
/// What is shown is found without calling them, in the tables that its `__index` holds: methods, field names, and the
/// record behind the object, which scripts can't reach.
struct HostObject {
  /// Such as `source`.
  let name: String
  /// Its position on the stack.
  private let index: Int

  enum Part {
    case methods
    /// Tables with field names as keys.
    case names
    /// The record behind the object, if its fields are not its own.
    case record
  }

  /// `index` counts from the bottom.
  init?(_ stack: LuaStack, at index: Int) {
    guard stack.isTable(at: index), stack.pushMetatable(of: index) else { return nil }
    let top = stack.count
    defer { stack.truncate(to: top - 1) }
    stack.pushField("__name", of: top)
    guard let name = stack.shownString(at: -1), name.hasPrefix("lookahead.") else { return nil }
    guard Self.isOurs(stack, metatable: top) else { return nil }
    self.name = String(name.dropFirst("lookahead.".count))
    self.index = index
  }

  /// Whether a function in the metatable is the prelude's.
  private static func isOurs(_ stack: LuaStack, metatable: Int) -> Bool {
    var isOurs = false
    stack.forEachPair(of: metatable) { stack in
      isOurs = isOurs || stack.functionLines(at: -1)?.name.hasPrefix("lookahead:") == true
    }
    return isOurs
  }

  /// Pushes the tables of this part and returns their number.
  func push(_ part: Part, on stack: LuaStack) -> Int {
    guard stack.pushMetatable(of: index) else { return 0 }
    let metatable = stack.count
    stack.pushField("__index", of: metatable)
    stack.remove(at: metatable)
    if stack.isTable(at: metatable) {
      if part == .methods { return 1 }
      stack.pop()
      return 0
    }
    var number = 1
    while let name = stack.pushUpvalue(number, of: metatable) {
      number += 1
      if !leaves(part, called: name, on: stack) { stack.pop() }
    }
    stack.remove(at: metatable)
    return stack.count - metatable + 1
  }

  /// Leaves the table on top, or its entry for the object, if it belongs to the part.
  private func leaves(_ part: Part, called name: String, on stack: LuaStack) -> Bool {
    guard stack.isTable(at: -1) else { return false }
    switch part {
    case .methods: return name.lowercased().hasSuffix("methods") || name == "operations"
    case .names: return ["keys", "known", "states"].contains(name)
    case .record:
      stack.pushCopy(of: index)
      stack.pushRaw(of: -2)
      guard stack.isTable(at: -1) else {
        stack.pop()
        return false
      }
      stack.remove(at: -2)
      replaceByInner(on: stack)
      return true
    }
  }

  /// Some objects keep their contents in an inner table.
  private func replaceByInner(on stack: LuaStack) {
    for name in ["given", "found", "box"] {
      stack.pushField(name, of: -1)
      if stack.isTable(at: -1) { return stack.remove(at: -2) }
      stack.pop()
    }
  }

  /// Fields that the host's own code may be asked for: it returns state, and calls nothing of the script.
  var states: [String] {
    switch name {
    case "itemSet": ["count", "isFetching", "lastFetchedPage", "totalPages", "lastPageAlreadyFetched"]
    case "batchContext": ["isFetching", "wasCancelled"]
    case "prefetcher": ["stats"]
    default: []
    }
  }

  /// Whether the readable names are known.
  func hasNames(on stack: LuaStack) -> Bool {
    let top = stack.count
    defer { stack.truncate(to: top) }
    return push(.names, on: stack) > 0
  }

  /// Whether a field by this name is readable; nil if unknown.
  func knows(_ name: String, on stack: LuaStack) -> Bool? {
    let top = stack.count
    defer { stack.truncate(to: top) }
    let count = push(.names, on: stack)
    guard count > 0 else { return nil }
    return (1...count).contains { position in
      stack.field(name, of: top + position) { !$0.isNil(at: $1) }
    }
  }

  /// Reads a field of the record behind the object, or of the object itself.
  func field<Result>(_ name: String, on stack: LuaStack, _ read: (LuaStack) -> Result?) -> Result? {
    let top = stack.count
    defer { stack.truncate(to: top) }
    let table = push(.record, on: stack) > 0 ? top + 1 : index
    stack.pushField(name, of: table)
    return read(stack)
  }
}
