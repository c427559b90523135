import Items
import Listing
import Lua
import Paging

/// Collections and change sets as scripts see them: positions count from 1.
extension LuaStack {
  /// Pushes the items as nested lists.
  func push(_ map: ElementMap<CollectionSource>) {
    pushTable(elements: map.sections.count)
    for (number, section) in map.sections.enumerated() {
      pushTable(elements: section.items.count)
      for (index, item) in section.items.enumerated() {
        if let model = item.model { push(model) } else { pushNil() }
        setElement(index + 1, of: -2)
      }
      setElement(number + 1, of: -2)
    }
  }

  /// Pushes a change set as its reader applies it: a reloaded item or section is deleted and inserted, but one that
  /// also moves keeps its identity and is updated at its new place.
  func push(applied changes: PathChanges) {
    pushTable(fields: 10)
    setField("isReload", of: -1, to: .boolean(changes.isReload))
    setPaths("deletedItems", changes.deletedItems.flatMap(\.paths))
    setPositions("deletedSections", changes.deletedSections.flatMap(\.paths))
    setPositions("insertedSections", changes.insertedSections.flatMap(\.paths))
    setPaths("insertedItems", changes.insertedItems.flatMap(\.paths))
    setMoves(of: changes)
    setPaths("updatedItems", changes.movedUpdates)
    push(owner: SharedIndexMap(changes.sectionMap))
    setField("sectionMap", of: -2)
    setList("itemMaps", changes.itemMaps) { $0.push(owner: SharedIndexMap($1)) }
  }

  /// Pushes the operations of a change.
  func push(operations changes: PathChanges) {
    pushTable(fields: 8)
    setField("isEmpty", of: -1, to: .boolean(changes.isEmpty))
    setPaths("deletedItems", changes.deletions.map(\.path).reversed())
    setPositions("deletedSections", changes.sectionDeletions.map(\.section).reversed())
    setPositions("insertedSections", changes.sectionInsertions.map(\.section))
    setPaths("insertedItems", changes.insertions.map(\.path))
    setMoves(of: changes)
    setPaths("reloadedItems", changes.reloads.map(\.from).sorted())
  }

  private func setMoves(of changes: PathChanges) {
    setList("movedItems", changes.movedItems) { stack, move in
      stack.pushTable(fields: 2)
      stack.push(move.from)
      stack.setField("from", of: -2)
      stack.push(move.to)
      stack.setField("to", of: -2)
    }
    setList("movedSections", changes.movedSections) { stack, move in
      stack.pushTable(fields: 2)
      stack.setField("from", of: -1, to: .integer(Int64(move.from + 1)))
      stack.setField("to", of: -1, to: .integer(Int64(move.to + 1)))
    }
  }

  private func setPaths(_ name: String, _ paths: [ItemPath]) { setList(name, paths) { $0.push($1) } }

  private func setPositions(_ name: String, _ positions: [Int]) {
    setList(name, positions) { $0.push($1 + 1) }
  }

  private func setList<Value>(_ name: String, _ values: [Value], _ push: (LuaStack, Value) -> Void) {
    pushTable(elements: values.count)
    for (index, value) in values.enumerated() {
      push(self, value)
      setElement(index + 1, of: -2)
    }
    if values.isEmpty { markArray(at: -1) }
    setField(name, of: -2)
  }

  private func push(_ path: ItemPath) {
    pushTable(elements: 2)
    push(path.section + 1)
    setElement(1, of: -2)
    push(path.item + 1)
    setElement(2, of: -2)
  }
}

/// An index map that scripts hold.
final class SharedIndexMap {
  let map: IndexMap

  init(_ map: IndexMap) { self.map = map }
}
