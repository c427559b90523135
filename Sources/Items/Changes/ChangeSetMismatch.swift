/// A change set that does not fit what it was applied to, with the evidence.
public struct ChangeSetMismatch: Error, Sendable, Hashable {
  /// A part of a change set.
  public enum Part: String, Sendable {
    /// A run to remove does not exist, or is removed or moved twice.
    case removal
    /// A section to remove or move does not exist, or is used twice.
    case sectionRemoval
    /// A section can't be inserted at this place.
    case sectionInsertion
    /// An item to move does not exist, or is used twice.
    case move
    /// A place to insert at or move to is past the end, or occupied.
    case insertion
    /// An item to update does not exist.
    case update
  }

  /// The part that did not fit.
  public let part: Part
  /// The missing place.
  public let path: ItemPath
  /// Items per section at that point.
  public let counts: [Int]

  public init(part: Part, path: ItemPath, counts: [Int]) {
    self.part = part
    self.path = path
    self.counts = counts
  }
}
