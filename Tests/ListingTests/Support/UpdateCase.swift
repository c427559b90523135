import Items
import Listing
import TestSupport
import Testing

/// A case about one batch update: counts before and after, what was submitted, and what comes of it.
struct UpdateCase: Decodable, CustomTestStringConvertible {
  struct Inputs: Decodable {
    let old_data: [[Int]]?
    let new_data: [[Int]]?
    let old_item_counts: [Int]
    let new_item_counts: [Int]
    let ops: [Operation]
  }

  struct Operation: Decodable {
    let op: String
    let items: [[Int]]?
    let sections: [Int]?
    let from: Place?
    let to: Place?
    let animation: Int?
  }

  enum Place: Decodable {
    case section(Int)
    case item(ItemPath)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let section = try? container.decode(Int.self) {
        self = .section(section)
      } else {
        self = .item(ItemPath(try container.decode([Int].self)))
      }
    }
  }

  struct ItemGroup: Decodable {
    let paths: [[Int]]
    let animation: Int
    var group: PathChanges.ItemGroup {
      PathChanges.ItemGroup(paths: paths.map { ItemPath($0) }, animation: animation)
    }
  }

  struct SectionGroup: Decodable {
    let paths: [Int]
    let animation: Int
    var group: PathChanges.SectionGroup {
      PathChanges.SectionGroup(paths: paths, animation: animation)
    }
  }

  struct Expected: Decodable {
    let ok: Bool
    let error: String?
    let detail: String?
    let reload_data: Bool?
    let final_data: [[Int]]?
    let final_delete_items: [ItemGroup]?
    let final_insert_items: [ItemGroup]?
    let final_delete_sections: [SectionGroup]?
    let final_insert_sections: [SectionGroup]?
    let section_map: ExpectedMap?
    let item_maps: [ExpectedMap]?
  }

  let suite: String
  let `case`: String
  let inputs: Inputs
  let expected: Expected
  var testDescription: String { "\(suite)/\(`case`)" }
  var hasMoves: Bool { inputs.ops.contains { $0.op.hasPrefix("move") } }

  /// Submits what the case says and completes it.
  func resolve(_ style: MoveStyle) throws(UpdateError) -> PathChanges {
    var update = BatchUpdate(oldCounts: inputs.old_item_counts, moves: style)
    for operation in inputs.ops {
      try update.submit(operation.operation, animation: operation.animation ?? 0)
    }
    return try update.complete(newCounts: inputs.new_item_counts)
  }
}

extension UpdateCase.Operation {
  var operation: BatchOperation {
    let paths = (items ?? []).map { ItemPath($0) }
    switch (op, from, to) {
    case ("insert_items", _, _): return .insertItems(paths)
    case ("delete_items", _, _): return .deleteItems(paths)
    case ("reload_items", _, _): return .reloadItems(paths)
    case ("move_item", .item(let from), .item(let to)): return .moveItem(from: from, to: to)
    case ("insert_sections", _, _): return .insertSections(sections!)
    case ("delete_sections", _, _): return .deleteSections(sections!)
    case ("reload_sections", _, _): return .reloadSections(sections!)
    case ("move_section", .section(let from), .section(let to)): return .moveSection(from: from, to: to)
    case ("reload_data", _, _): return .reloadData
    default: preconditionFailure("no such operation: \(self)")
    }
  }
}

extension ItemPath {
  init(_ pair: [Int]) { self.init(section: pair[0], item: pair[1]) }
}
