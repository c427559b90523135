import Items
import Listing
import Lua

/// A script's value with its identity.
struct IdentifiedValue {
  let value: LuaReference
  let id: ItemID
}

/// Values of a section, with its id if the script provides one.
typealias IdentifiedSection = ListSection<ItemID?, IdentifiedValue>

/// What identifies the items of a collection.
struct ItemIdentity {
  let state: LuaState
  /// The table field that holds the id; other items are their own ids.
  let field: String
  /// Returns the id of any item, if the script declared it.
  let function: LuaReference?
  /// The called function, for messages.
  let title: String

  /// The items of a section with their ids.
  func identify(_ values: [LuaReference], section: Int) throws -> [IdentifiedValue] {
    try values.enumerated().map { index, value in
      state.stack.push(value)
      defer { state.stack.pop() }
      return IdentifiedValue(value: value, id: try id(at: ItemPath(section: section, item: index)))
    }
  }

  /// The id of the item on top of the state's stack.
  private func id(at path: ItemPath) throws -> ItemID {
    let stack = state.stack
    let found: ItemID?
    if let function {
      stack.push(function)
      stack.pushCopy(of: -2)
      try state.call(arguments: 1, results: 1)
      found = stack.itemID(at: -1)
      stack.pop()
    } else if stack.isTable(at: -1) {
      found = stack.field(field, of: -1) { $0.itemID(at: $1) }
    } else {
      found = stack.itemID(at: -1)
    }
    guard let found else {
      let what = function != nil || !stack.isTable(at: -1) ? "id" : "'\(field)'"
      throw HostFunctionError.misuse(
        "\(title): item \(path.wording) has no usable \(what) (expected a string or an integer): name the right "
          + "field with id = \"…\", or give a function")
    }
    return found
  }
}

extension [IdentifiedSection] {
  /// The same items, identified by position.
  var placed: [ListSection<Int, IdentifiedValue>] {
    enumerated().map { ListSection(id: $0, elements: $1.elements) }
  }
}

extension PathChanges {
  /// Equivalent operations for a batch that splits moves: moved items are inserted anew, with their new content.
  var splitOperations: [BatchOperation] {
    let moving = Set(movedItems.map(\.from))
    let movingSections = Set(movedSections.map(\.from))
    var operations: [BatchOperation] = []
    func add(_ list: [ItemPath], _ operation: ([ItemPath]) -> BatchOperation) {
      if !list.isEmpty { operations.append(operation(list)) }
    }
    func add(_ list: [Int], _ operation: ([Int]) -> BatchOperation) {
      if !list.isEmpty { operations.append(operation(list)) }
    }
    guard !isReload else { return [.reloadData] }
    add(deletions.map(\.path)) { .deleteItems($0) }
    add(sectionDeletions.map(\.section)) { .deleteSections($0) }
    add(sectionInsertions.map(\.section)) { .insertSections($0) }
    add(insertions.map(\.path)) { .insertItems($0) }
    add(reloads.map(\.from).filter { !moving.contains($0) && !movingSections.contains($0.section) }) {
      .reloadItems($0)
    }
    operations += movedSections.map { .moveSection(from: $0.from, to: $0.to) }
    operations += movedItems.map { .moveItem(from: $0.from, to: $0.to) }
    return operations
  }
}
