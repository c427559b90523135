import Items
import Listing
import Testing

/// Faults that upstream does not find, or finds only in builds with assertions.
@Suite struct UpdateErrorTests {
  @Test func `an item to insert past the end is out of bounds`() {
    var error = fault([.insertItems([ItemPath(item: 2)]), .deleteItems([ItemPath(item: 0)])], [1], [1])

    #expect(error?.code == .insertItemOutOfBounds)
    #expect(error?.path == ItemPath(item: 2))
    #expect(error?.new == 1)
    error = fault([.moveItem(from: ItemPath(item: 0), to: ItemPath(item: 5))], [2], [2])
    #expect(error?.code == .insertItemOutOfBounds)
  }

  @Test func `an item can't be deleted and reloaded, or moved and reloaded`() {
    let paths = [ItemPath(item: 0), ItemPath(item: 1)]

    let deleted = fault([.deleteItems([paths[0]]), .reloadItems(paths)], [3], [2])
    let moved = fault([.moveItem(from: paths[0], to: paths[1]), .reloadItems([paths[0]])], [3], [3])

    #expect(deleted?.code == .deleteAndReloadSameItem)
    #expect(deleted?.path == paths[0])
    #expect(moved?.code == .deleteAndReloadSameItem)
  }

  @Test func `a section can't move and be reloaded`() {
    let error = fault([.moveSection(from: 0, to: 1), .reloadSections([0])], [1, 1], [1, 1])

    #expect(error?.code == .reloadAndDeleteSameSection)
    #expect(error?.section == 0)
  }

  @Test func `an operation that names nothing is empty`() {
    #expect(fault([.insertItems([])], [1], [1])?.code == .emptyChange)
    #expect(fault([.reloadSections([])], [1], [1])?.code == .emptyChange)
  }

  @Test func `reloading only items of a deleted section is empty, of a reloaded one it is not`() {
    let reload = BatchOperation.reloadItems([ItemPath(section: 0, item: 0)])

    #expect(fault([.deleteSections([0]), reload], [1, 1], [1])?.code == .emptyChange)
    #expect(fault([.reloadSections([0]), reload], [1, 1], [4, 1]) == nil)
  }

  @Test func `reloading an item that never was is out of bounds`() {
    #expect(fault([.reloadItems([ItemPath(item: 3)])], [3], [3])?.code == .deleteItemOutOfBounds)
    let section = fault([.reloadItems([ItemPath(section: 3, item: 0)])], [3], [3])
    #expect(section?.code == .deleteItemSectionOutOfBounds)
    #expect(
      fault([.reloadSections([3]), .insertSections([0])], [3], [0, 3])?.code == .deleteSectionOutOfBounds)
  }

  @Test(arguments: [-1, Int.min, Int.max]) func `an index that no list has is invalid`(_ index: Int) {
    let operations: [BatchOperation] = [
      .insertItems([ItemPath(item: index)]), .deleteItems([ItemPath(section: index, item: 0)]),
      .moveItem(from: ItemPath(item: 0), to: ItemPath(item: index)), .deleteSections([index]),
      .moveSection(from: index, to: 0),
    ]

    for operation in operations { #expect(fault([operation], [3], [3])?.code == .invalidIndex) }
    #expect(fault([], [3], [index])?.code == .invalidIndex)
  }

  @Test(arguments: [
    [BatchOperation.deleteItems([ItemPath(item: 0)]), .deleteItems([ItemPath(item: 0)])],
    [.insertItems([ItemPath(item: 0), ItemPath(item: 0)])],
    [.reloadItems([ItemPath(item: 0)]), .reloadItems([ItemPath(item: 0)])],
    [.moveItem(from: ItemPath(item: 0), to: ItemPath(item: 1)), .deleteItems([ItemPath(item: 0)])],
    [.moveItem(from: ItemPath(item: 0), to: ItemPath(item: 1)), .insertItems([ItemPath(item: 1)])],
    [
      .moveItem(from: ItemPath(item: 0), to: ItemPath(item: 1)),
      .moveItem(from: ItemPath(item: 0), to: ItemPath(item: 2)),
    ],
    [.deleteSections([0]), .moveSection(from: 0, to: 1)],
    [.moveSection(from: 0, to: 1), .moveSection(from: 1, to: 1)],
    [.reloadSections([0, 0])],
  ])
  func `a place can't be named twice`(_ operations: [BatchOperation]) {
    var found: [UpdateError.Code] = []

    for new in 0...4 { if let error = fault(operations, [3, 1], [new, 1]) { found.append(error.code) } }
    if let error = fault(operations, [3, 1], [1]) { found.append(error.code) }

    #expect(found.contains(.duplicatePath))
    #expect(found.count == 6)
  }

  @Test func `counting comes before places named twice`() {
    let operations = [BatchOperation.deleteItems([ItemPath(item: 0), ItemPath(item: 0)])]

    #expect(fault(operations, [3], [1])?.code == .invalidItemCount)
    #expect(fault(operations, [3], [2])?.code == .duplicatePath)
  }

  @Test func `a batch is complete once, and closed then`() throws {
    var update = BatchUpdate(oldCounts: [1])
    _ = try update.complete(newCounts: [1])

    #expect(throws: UpdateError(.changeSetClosed)) { _ = try update.complete(newCounts: [1]) }
    let error = #expect(throws: UpdateError.self) { try update.submit(.reloadSections([0])) }
    #expect(error?.code == .changeSetClosed)
    #expect(error?.operations == [.reloadSections([0])])
  }

  @Test func `beginnings and ends have to balance`() throws {
    var update = BatchUpdate(oldCounts: [1])

    #expect(throws: UpdateError(.unbalancedEnd)) { try update.end() }
    update.begin()
    #expect(update.isOpen)
    #expect(throws: UpdateError(.unbalancedEnd)) { _ = try update.complete(newCounts: [1]) }
    try update.end()
    #expect(try update.complete(newCounts: [1]).isEmpty)
  }

  private func fault(_ operations: [BatchOperation], _ old: [Int], _ new: [Int]) -> UpdateError? {
    do throws(UpdateError) {
      var update = BatchUpdate(oldCounts: old)
      for operation in operations { try update.submit(operation) }
      _ = try update.complete(newCounts: new)
      return nil
    } catch {
      return error
    }
  }
}
