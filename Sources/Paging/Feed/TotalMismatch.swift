/// A reading that came to its end with another number of items than its source said that it has.
public struct TotalMismatch: Sendable, Hashable {
  /// Items that the source sent, those that were held already among them.
  public let received: Int
  /// Items that were to come, by the source's newest word.
  public let total: Int
  /// Items that came again; told where as many came as the total says, and fewer different ones.
  public let repeated: Int

  /// By how much the total fell while counted pages were read: so many items may have moved to pages that were read already.
  public internal(set) var fallen = 0
  /// Items that were edited while counted pages were read: each may have had another one move to such a page.
  public internal(set) var edited = 0

  public init(received: Int, total: Int, repeated: Int = 0) {
    self.received = received
    self.total = total
    self.repeated = repeated
  }

  /// Items that never came; zero where more came than the total says.
  public var missing: Int { max(0, total - received) }

  /// Items that may be missing, though as many came as the total says.
  public var mayMiss: Int { missing > 0 ? 0 : moved }

  /// Whether nothing follows from what did not come. Of edits that is not sure: some lists have each version of an item.
  public var mayLackItems: Bool { missing > 0 || fallen > 0 }

  /// Items that may have moved to pages that were read already.
  public var moved: Int { fallen.clampedSum(edited) }
}
