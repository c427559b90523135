import Lua

/// The names scripts can see in a running state: globals, and the fields of tables below them.
public struct NameTree: Sendable {
  /// Fields by name; nil for anything but a table.
  public private(set) var fields: [String: NameTree]?
  /// Whether reading a missing field raises an error.
  public private(set) var isStrict = false

  public init(fields: [String: NameTree]? = nil) { self.fields = fields }

  /// The node at a path of names; nil if there is none.
  public subscript(path: some Sequence<String>) -> NameTree? {
    var tree = self
    for name in path {
      guard let next = tree.fields?[name] else { return nil }
      tree = next
    }
    return tree
  }

  /// Reads the table at `index`, `depth` levels deep, without metamethods.
  init(_ state: LuaState, at index: Int, depth: Int) {
    let stack = state.stack
    guard depth > 0, stack.isTable(at: index), stack.reserve(8) else { return }
    var found: [String: NameTree] = [:]
    stack.forEachPair(of: index) { stack in
      guard let name = stack.shownString(at: -2) else { return }
      found[name] = NameTree(state, at: stack.absolute(-1), depth: depth - 1)
    }
    fields = found
    guard stack.pushMetatable(of: index) else { return }
    defer { stack.pop() }
    isStrict = stack.field("__index", of: -1) { $0.isFunction(at: $1) }
    // A sealed table has no fields of its own.
    stack.pushField("__index", of: -1)
    defer { stack.pop() }
    if found.isEmpty, stack.isTable(at: -1) { self = NameTree(state, at: stack.absolute(-1), depth: depth) }
  }
}

extension NameTree {
  /// The names scripts can see now.
  init(_ prelude: Prelude) {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    prelude.pushEntry("environmentTable", on: stack)
    guard stack.isTable(at: -1), stack.pushMetatable(of: -1) else {
      self.init()
      return
    }
    stack.pushField("__index", of: -1)
    self.init(prelude.state, at: -1, depth: 3)
  }
}
