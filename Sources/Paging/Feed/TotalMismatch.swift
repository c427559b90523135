/// A reading that came to its end with another number of items than its source said that it has.
public struct TotalMismatch: Sendable, Hashable {
  /// Items that the source sent, those that were held already among them.
  public let received: Int
  /// Items that were to come, by the source's newest word.
  public let total: Int

  public init(received: Int, total: Int) {
    self.received = received
    self.total = total
  }

  /// Items that never came; zero where more came than the total says.
  public var missing: Int { max(0, total - received) }
}
