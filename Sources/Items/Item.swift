/// One element of a source: its id and its encoded form, one JSON value without line breaks.
public struct Item: Sendable, Equatable {
  public let id: ItemID
  public let bytes: Bytes

  public init(id: ItemID, bytes: Bytes) {
    self.id = id
    self.bytes = bytes
  }
}
