/// One element of a source: its id and its encoded form, one JSON value without line breaks.
///
/// ```swift
/// let item = Item(id: .integer(7), bytes: Bytes(#"{"id":7}"#))
/// ```
public struct Item: Sendable, Equatable {
  public let id: ItemID
  public let bytes: Bytes

  public init(id: ItemID, bytes: Bytes) {
    self.id = id
    self.bytes = bytes
  }
}

/// The identity of an item: an integer or a string, as the source gave it. `1` and `"1"` are different ids.
public enum ItemID: Hashable, Sendable, Comparable {
  case integer(Int64)
  case text(String)

  /// Integers before strings, each in their own order.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    switch (left, right) {
    case (.integer(let l), .integer(let r)): l < r
    case (.text(let l), .text(let r)): l < r
    case (.integer, .text): true
    case (.text, .integer): false
    }
  }
}

extension ItemID: CustomStringConvertible {
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .text(let value): value
    }
  }
}
