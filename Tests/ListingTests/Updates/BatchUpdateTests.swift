import Items
import Listing
import Testing

@Suite struct BatchUpdateTests {
  struct Nesting: Decodable {
    struct Expected: Decodable { let completion_order: [String]? }

    let `case`: String
    let expected: Expected
  }

  @Test func `nested batches are one, and completions are called inner ones first`() throws {
    let suite: [Nesting] = cases("ASCollectionViewTests")
    let example = try #require(suite.first { $0.case == "testThatNestedBatchCompletionsAreCalledInOrder" })
    let names = ["inner0", "inner1", "outer"]
    var update = BatchUpdate(oldCounts: [1])

    update.begin()
    update.begin()
    try update.submit(.insertItems([ItemPath(item: 0)]))
    let isFirstOutermost = try update.end(completion: 0)
    update.begin()
    try update.submit(.insertItems([ItemPath(item: 2)]))
    try update.end(completion: 1)
    let isLastOutermost = try update.end(completion: 2)

    #expect(update.completions.map { names[$0] } == example.expected.completion_order)
    #expect((isFirstOutermost, isLastOutermost) == (false, true))
    #expect(try update.complete(newCounts: [3]).insertions.map(\.path.item) == [0, 2])
  }

  /// UIKit itself calls the outer one first: a deviation that upstream knows of and we keep.
  @Test func `the order is not UIKit's`() {
    let suite: [Nesting] = cases("ASUICollectionViewTests")

    #expect(suite.map(\.expected.completion_order) == [["outer", "inner0", "inner1"]])
  }

  /// testThatNilBatchUpdatesCanBeSubmitted, of collections and tables.
  @Test func `a batch without operations and completion changes nothing`() throws {
    var update = BatchUpdate(oldCounts: [2, 1])

    update.begin()
    try update.end()

    #expect(try update.complete(newCounts: [2, 1]).isEmpty)
    #expect(update.completions.isEmpty)
  }

  @Test func `a single edit is a batch of one operation`() throws {
    var update = BatchUpdate(oldCounts: [2])

    try update.submit(.deleteItems([ItemPath(item: 1)]), animation: 7)

    let changes = try update.complete(newCounts: [1])
    #expect(changes.deletedItems == [PathChanges.ItemGroup(paths: [ItemPath(item: 1)], animation: 7)])
  }

  /// testIssue2252: all sections again and again.
  @Test func `reloading every section twenty times keeps the counts`() throws {
    var data = [[1, 2], [], [3]]

    for round in 0..<20 {
      var update = BatchUpdate(oldCounts: data.map(\.count))
      try update.submit(.reloadSections([0, 1, 2]))
      let changes = try update.complete(newCounts: [2, 0, 1])
      changes.apply(to: &data) { $0.section * 100 + $0.item + round }
    }

    #expect(data == [[19, 20], [], [219]])
  }

  @Test func `reload data makes everything new whatever else was submitted`() throws {
    var update = BatchUpdate(oldCounts: [2])
    var data = [[1, 2]]

    try update.submit(.deleteItems([ItemPath(item: 9)]))
    try update.submit(.reloadData)
    let changes = try update.complete(newCounts: [1, 1])
    changes.apply(to: &data) { $0.section + 10 }

    #expect(data == [[10], [11]])
    #expect(changes.newPath(of: ItemPath(item: 0)) == nil)
    #expect(changes.oldPath(of: ItemPath(item: 0)) == nil)
  }

  @Test func `a move keeps the item, and split loses it`() throws {
    for style in MoveStyle.allCases {
      var update = BatchUpdate(oldCounts: [2, 2], moves: style)
      try update.submit(.moveItem(from: ItemPath(item: 0), to: ItemPath(section: 1, item: 2)))
      let changes = try update.complete(newCounts: [1, 3])
      let target = ItemPath(section: 1, item: 2)

      #expect(changes.newPath(of: ItemPath(item: 0)) == (style == .real ? target : nil))
      #expect(changes.oldPath(of: target) == (style == .real ? ItemPath(item: 0) : nil))
      #expect(changes.newPath(of: ItemPath(item: 1)) == ItemPath(item: 0))
      #expect(changes.deletedItems.isEmpty == (style == .real))
    }
  }

  @Test func `a moved section keeps its items, which can be edited meanwhile`() throws {
    var update = BatchUpdate(oldCounts: [2, 1, 1])
    var data = [[0, 1], [10], [20]]

    try update.submit(.moveSection(from: 0, to: 2))
    try update.submit(.deleteItems([ItemPath(section: 0, item: 0)]))
    try update.submit(.insertItems([ItemPath(section: 2, item: 1)]))
    let changes = try update.complete(newCounts: [1, 1, 2])
    changes.apply(to: &data) { _ in 99 }

    #expect(data == [[10], [20], [1, 99]])
    #expect(changes.sectionMap.new(0) == 2)
    #expect(changes.newPath(of: ItemPath(section: 0, item: 1)) == ItemPath(section: 2, item: 0))
  }

  @Test func `a move out of a section that goes is an insertion, one into a section that comes a deletion`()
    throws
  {
    var update = BatchUpdate(oldCounts: [1, 2])

    try update.submit(.deleteSections([0]))
    try update.submit(.insertSections([1]))
    try update.submit(.moveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 0)))
    try update.submit(.moveItem(from: ItemPath(section: 1, item: 1), to: ItemPath(section: 1, item: 0)))
    let changes = try update.complete(newCounts: [2, 5])

    #expect(changes.movedItems.isEmpty)
    #expect(changes.insertions.map(\.path) == [ItemPath(section: 0, item: 0)])
    #expect(changes.deletions.map(\.path) == [ItemPath(section: 1, item: 1)])
  }
}
