/// A change set that does not fit what it was applied to, with the evidence.
public struct ChangeSetMismatch: Error, Sendable, Hashable {
  /// Which part of a change set it was.
  public enum Part: String, Sendable {
    /// A run to remove is not there, or is removed or moved twice.
    case removal
    /// A section to remove or to move is not there, or is taken twice.
    case sectionRemoval
    /// A section can't be inserted at this place.
    case sectionInsertion
    /// An item to move is not there, or is taken twice.
    case move
    /// A place to insert at or to move to is past the end, or taken.
    case insertion
    /// An item to update is not there.
    case update
  }

  /// What did not fit.
  public let part: Part
  /// The place that is not there.
  public let path: ItemPath
  /// Items per section at that moment.
  public let counts: [Int]

  public init(part: Part, path: ItemPath, counts: [Int]) {
    self.part = part
    self.path = path
    self.counts = counts
  }
}
