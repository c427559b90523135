public import Items

/// One edit of a collection, as submitted by a caller.
///
/// Deletions, moves and reloads use places before the update, insertions places after it.
public enum BatchOperation: Sendable, Hashable {
  /// Inserts items at these new places.
  case insertItems([ItemPath])
  /// Deletes the items at these old places.
  case deleteItems([ItemPath])
  /// Reloads the items at these old places.
  case reloadItems([ItemPath])
  /// Moves an item from an old to a new place, possibly in another section.
  case moveItem(from: ItemPath, to: ItemPath)
  /// Inserts sections with all their items.
  case insertSections([Int])
  /// Deletes sections with all their items.
  case deleteSections([Int])
  /// Reloads all items of these sections.
  case reloadSections([Int])
  /// Moves a section with its items.
  case moveSection(from: Int, to: Int)
  /// Reloads everything; the other operations of the batch are ignored.
  case reloadData

  /// Larger than any list.
  static let indexLimit = Int(Int32.max)

  /// What is wrong with the operation, regardless of the others.
  var fault: UpdateError? {
    switch self {
    case .insertItems(let paths), .deleteItems(let paths), .reloadItems(let paths):
      BatchOperation.fault(paths)
    case .moveItem(let from, let to): BatchOperation.fault([from, to])
    case .insertSections(let sections), .deleteSections(let sections), .reloadSections(let sections):
      BatchOperation.fault(sections)
    case .moveSection(let from, let to): BatchOperation.fault([from, to])
    case .reloadData: nil
    }
  }

  private static func fault(_ paths: [ItemPath]) -> UpdateError? {
    let valid = 0..<indexLimit
    guard !paths.isEmpty else { return UpdateError(.emptyChange) }
    return paths.first { !(valid ~= $0.section && valid ~= $0.item) }
      .map { UpdateError(.invalidIndex, path: $0) }
  }

  private static func fault(_ sections: [Int]) -> UpdateError? {
    guard !sections.isEmpty else { return UpdateError(.emptyChange) }
    return sections.first { !(0..<indexLimit ~= $0) }.map { UpdateError(.invalidIndex, section: $0) }
  }
}

/// How moves are treated.
public enum MoveStyle: String, Sendable, CaseIterable {
  /// The item or section keeps its identity.
  case real
  /// A move becomes a deletion and an insertion, as in Texture.
  case split
}
