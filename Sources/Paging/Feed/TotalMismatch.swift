/// A reading that came to its end with another number of items than its source said that it has.
public struct TotalMismatch: Sendable, Hashable {
  /// Items that the source sent, those that were held already among them.
  public let received: Int
  /// Items that were to come, by the source's newest word.
  public let total: Int
  /// Items that came again; told where as many came as the total says, and fewer different ones.
  public let repeated: Int

  public init(received: Int, total: Int, repeated: Int = 0) {
    self.received = received
    self.total = total
    self.repeated = repeated
  }

  /// Items that never came; zero where more came than the total says.
  public var missing: Int { max(0, total - received) }
}
