import Items
import Listing
import Paging
import Testing

/// Differences that were computed, taken as they are.
@Suite struct DataControllerDifferenceTests {
  @Test func `an item that moves and looks different stays itself`() throws {
    let source = ListSource([["a", "b", "c"]])
    source.adoptsModels = true
    var rig = try DataRig(loaded: source)
    let ids = rig.controller.pending.sections[0].items.map(\.id)

    try rig.become([["c+", "a", "b"]])
    rig.settle()

    #expect(rig.shown == [["c+", "a", "b"]])
    #expect(rig.controller.visible.sections[0].items.map(\.id) == [ids[2], ids[0], ids[1]])
  }

  @Test func `a difference from other data is refused, and changes nothing`() throws {
    let source = ListSource([["a"], ["b", "c"]])
    var rig = try DataRig(loaded: source)
    let wrong = ListSource([["a"], ["b"]])
    let changes = difference(to: [["a"], ["b", "x"]], from: [["a"], ["b"]])

    let error = #expect(throws: UpdateError.self) { try rig.controller.submit(changes, from: wrong) }

    #expect(error?.code == .invalidItemCount)
    #expect(error?.section == 1)
    #expect(error?.old == 1 && error?.new == 2)
    #expect(rig.newest == [["a"], ["b", "c"]])
    let sections = difference(to: [["a"]], from: [["a"]])
    #expect(throws: UpdateError.self) { try rig.controller.submit(sections, from: wrong) }
  }

  @Test func `a difference before the first load is dropped and complete`() throws {
    var rig = DataRig(ListSource([["a"]]))

    rig.accept(
      try rig.controller.submit(difference(to: [["a"]], from: [[]]), from: rig.source, completion: 1))

    #expect(rig.completed == [1])
    #expect(!rig.controller.isLoaded)
  }

  @Test(arguments: UInt64(1)...100)
  func `whatever the data become, that is what is shown`(seed: UInt64) throws {
    var random = RandomStream(seed: seed)
    let source = ListSource(counts: [3, 3])
    source.adoptsModels = Bool.random(using: &random)
    var rig = try DataRig(loaded: source, coalesces: Bool.random(using: &random))

    for round in 0..<20 {
      var items = source.sections.joined().filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
      items = items.map { Int.random(in: 0..<4, using: &random) > 0 ? $0 : $0 + "+" }
      items += (0..<Int.random(in: 0..<3, using: &random)).map { "r\(round).\($0)" }
      items.shuffle(using: &random)
      let cut = Int.random(in: 0...items.count, using: &random)
      try rig.become([Array(items[..<cut]), Array(items[cut...])])
      if Bool.random(using: &random), !rig.jobs.isEmpty {
        rig.work(Int.random(in: 0..<rig.jobs.count, using: &random))
      }
      #expect(rig.newest == source.sections, "seed \(seed)")
    }
    rig.settle()

    #expect(rig.shown == source.sections, "seed \(seed)")
  }
}

extension DataRig {
  /// The data become these, as one computed change; a plus at the end of a name is its form.
  mutating func become(_ sections: [[String]]) throws {
    let changes = difference(to: sections, from: source.sections)
    source.sections = sections
    accept(try controller.submit(changes, from: source))
  }
}

private func difference(to new: [[String]], from old: [[String]]) -> PathChanges {
  func sections(_ names: [[String]]) -> [ListSection<Int, String>] {
    names.enumerated().map { ListSection(id: $0, elements: $1) }
  }
  return sections(new).difference(
    from: sections(old), id: { $0.prefix { $0 != "+" } }, isContentEqual: { $0 == $1 })
}
