import Items
import Listing
import Paging
import Testing

/// Random sets, with jobs done in any order and a reader that takes its time.
@Suite struct DataControllerOrderTests {
  @Test(arguments: UInt64(1)...150)
  func `whatever the order of the work, sets become visible as they were submitted`(seed: UInt64) throws {
    var random = RandomStream(seed: seed)
    let source = ListSource(counts: [3, 2, 4])
    source.headers = [1, 0, 1, 1, 1, 1, 1, 1]
    source.adoptsModels = Bool.random(using: &random)
    var rig = try DataRig(loaded: source, coalesces: Bool.random(using: &random))
    var submitted: [[[String]]] = [source.sections]
    var reached = 0

    for round in 0..<60 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        try edit(&rig, round, &random)
        submitted.append(source.sections)
      case 2, 3:
        if !rig.jobs.isEmpty { rig.work(Int.random(in: 0..<rig.jobs.count, using: &random)) }
      default:
        guard !rig.applies.isEmpty else { continue }
        let sets = rig.applies[0].changes.count
        rig.show()
        reached += sets
        #expect(rig.shown == submitted[reached], "seed \(seed)")
      }
      #expect(rig.newest == source.sections, "seed \(seed)")
      #expect(rig.applies.count <= 1)
    }
    rig.settle()

    #expect(rig.shown == source.sections, "seed \(seed)")
    #expect(rig.completed == Array(1..<submitted.count), "seed \(seed)")
  }

  private func edit(_ rig: inout DataRig, _ round: Int, _ random: inout RandomStream) throws {
    let edit = RandomEdit(rig.source.sections, name: "r\(round)", &random)
    rig.submissions += 1
    try rig.update(completion: rig.submissions, moves: edit.moves, edit.operations) { $0 = edit.result }
  }
}

/// A batch of operations that fits, and what the data are after it.
private struct RandomEdit {
  var operations: [BatchOperation] = []
  var result: [[String]] = []
  let moves: MoveStyle

  init(_ old: [[String]], name: String, _ random: inout RandomStream) {
    moves = Bool.random(using: &random) ? .real : .split
    if Int.random(in: 0..<15, using: &random) == 0 {
      operations = [.reloadData]
      result = (0..<Int.random(in: 0...3, using: &random)).map { section in
        (0..<Int.random(in: 0...4, using: &random)).map { "\(name).\(section).\($0)" }
      }
      return
    }
    let reloads = Int.random(in: 0..<3, using: &random) == 0
    var sections = editItems(old, reloads: reloads, &random)
    if reloads {
      result = insertItems(sections, name, &random)
      return
    }
    if sections.count > 1, Int.random(in: 0..<4, using: &random) == 0 {
      let gone = Int.random(in: 0..<sections.count, using: &random)
      operations.append(.deleteSections([gone]))
      sections.remove(at: gone)
    } else if Int.random(in: 0..<4, using: &random) == 0 {
      let place = Int.random(in: 0...sections.count, using: &random)
      operations.append(.insertSections([place]))
      sections.insert(["\(name).s"], at: place)
      result = sections
      return
    } else if sections.count > 1, Int.random(in: 0..<4, using: &random) == 0 {
      operations.append(.moveSection(from: 0, to: sections.count - 1))
      sections.append(sections.removeFirst())
    }
    result = insertItems(sections, name, &random)
  }

  private mutating func editItems(
    _ old: [[String]], reloads: Bool, _ random: inout RandomStream
  ) -> [[String]] {
    old.enumerated().map { section, items in
      items.enumerated().compactMap { index, item in
        let path = ItemPath(section: section, item: index)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          operations.append(.deleteItems([path]))
          return nil
        case 1 where reloads:
          operations.append(.reloadItems([path]))
          return item + "'"
        default: return item
        }
      }
    }
  }

  private mutating func insertItems(
    _ sections: [[String]], _ name: String, _ random: inout RandomStream
  ) -> [[String]] {
    sections.enumerated().map { section, items in
      var items = items
      for index in 0..<3 where index <= items.count && Bool.random(using: &random) {
        items.insert("\(name).\(section).\(index)", at: index)
        operations.append(.insertItems([ItemPath(section: section, item: index)]))
      }
      return items
    }
  }
}
