import Items
import Listing
import TestSupport
import Testing

/// The cases of Texture's change sets that are data.
@Suite struct BatchUpdateCaseTests {
  static let suites = [
    "ASCollectionViewTests.UpdateValidation", "ASTableViewTests.UpdateValidation",
    "ASCollectionViewTests.SectionContext", "ASCollectionViewThrashTests", "ChangeSetDerived",
    "ChangeSetThrashDerived",
  ]
  static let all: [UpdateCase] = suites.flatMap { cases($0) }

  /// Every case with split moves, and with real ones where none moves.
  static let runs: [(UpdateCase, MoveStyle)] =
    all.map { ($0, .split) } + all.filter { !$0.hasMoves }.map { ($0, .real) }

  @Test(arguments: runs) func `comes to what upstream comes to`(_ example: UpdateCase, _ style: MoveStyle) {
    let expected = example.expected
    do {
      let changes = try example.resolve(style)
      try #require(expected.ok)
      check(changes, expected, example.inputs)
    } catch let error as UpdateError {
      #expect(error.upstreamName == expected.error)
      #expect(error.detail == expected.detail)
      #expect(error.operations == example.inputs.ops.map(\.operation))
    } catch {
      Issue.record(error)
    }
  }

  private func check(_ changes: PathChanges, _ expected: UpdateCase.Expected, _ inputs: UpdateCase.Inputs) {
    #expect(changes.isReload == expected.reload_data)
    #expect(changes.deletedItems == expected.final_delete_items?.map(\.group))
    #expect(changes.insertedItems == expected.final_insert_items?.map(\.group))
    #expect(changes.deletedSections == expected.final_delete_sections?.map(\.group))
    #expect(changes.insertedSections == expected.final_insert_sections?.map(\.group))
    if let map = expected.section_map {
      #expect(map.matches(changes.sectionMap, oldCount: inputs.old_item_counts.count))
    }
    for (section, map) in (expected.item_maps ?? []).enumerated() {
      #expect(map.matches(changes.itemMaps[section], oldCount: inputs.old_item_counts[section]), "\(section)")
    }
    if var data = inputs.old_data, let new = inputs.new_data {
      changes.apply(to: &data) { new[$0.section][$0.item] }
      #expect(data == expected.final_data)
    }
  }

  @Test func `every class of fault has a case, but those that upstream lacks`() {
    let seen = Set(Self.all.compactMap(\.expected.error))
    let names = UpdateError.Code.allCases.map { UpdateError($0).upstreamName }
    let missing: Set = [
      "INSERT_ITEM_OUT_OF_BOUNDS", "DELETE_AND_RELOAD_SAME_ITEM", "CHANGE_SET_CLOSED", "UNBALANCED_END",
      "DUPLICATE_PATH", "INVALID_INDEX",
    ]

    #expect(Set(names).subtracting(seen) == missing)
  }
}

extension UpdateError {
  /// The name of the class in the cases.
  var upstreamName: String {
    guard code != .emptyChange else { return "EMPTY_ITEM_CHANGE" }
    return code.rawValue.reduce(into: "") { name, letter in
      name += (letter.isUppercase ? "_" : "") + letter.uppercased()
    }
  }

  /// The evidence as the cases write it.
  var detail: String {
    switch code {
    case .invalidSectionCount: sum
    case .invalidItemCount: "section \(section!): \(sum)"
    case .emptyChange: "every reloaded item was also deleted"
    case .reloadAndDeleteSameSection: "\(section!)"
    case .deleteSectionOutOfBounds: "section \(section!), \(old!) before"
    case .insertSectionOutOfBounds: "section \(section!), \(new!) after"
    case .deleteItemSectionOutOfBounds, .deleteItemOutOfBounds:
      "item \(path!.item) section \(section!), \(old!) before"
    case .insertItemSectionOutOfBounds, .insertItemOutOfBounds:
      "item \(path!.item) section \(section!), \(new!) after"
    default: ""
    }
  }

  private var sum: String { "\(new!) != \(old!)+\(inserted!)-\(deleted!)" }
}
