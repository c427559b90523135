public import Items

/// One edit of a collection, as a caller submits it.
///
/// What goes, moves or is reloaded is named by its place before the update, what comes by its place after it.
public enum BatchOperation: Sendable, Hashable {
  /// Items come to these new places.
  case insertItems([ItemPath])
  /// Items go from these old places.
  case deleteItems([ItemPath])
  /// Items at these old places have a new form.
  case reloadItems([ItemPath])
  /// An item goes from an old place to a new one, also in another section.
  case moveItem(from: ItemPath, to: ItemPath)
  /// Sections come with all their items.
  case insertSections([Int])
  /// Sections go with all their items.
  case deleteSections([Int])
  /// Sections get all their items anew.
  case reloadSections([Int])
  /// A section goes from an old place to a new one, with its items.
  case moveSection(from: Int, to: Int)
  /// Everything is new; other operations of the batch don't count.
  case reloadData

  /// More than any list can hold.
  static let indexLimit = Int(Int32.max)

  /// What is wrong with it by itself.
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

/// What becomes of moves.
public enum MoveStyle: String, Sendable, CaseIterable {
  /// A move is a move: the item or section stays itself.
  case real
  /// A move is a deletion and an insertion, as in Texture.
  case split
}
