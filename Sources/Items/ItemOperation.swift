/// One step of a change to a list, for readers that take one after the other. Places count from 0.
public enum ItemOperation: Sendable, Equatable {
  /// The item comes to a place; what was there and behind it makes room.
  case insert(Item, at: Int)
  /// The item of that id goes from its place.
  case remove(ItemID, at: Int)
  /// The item of that id is taken from a place and put to another, which is meant in the list without it.
  case move(ItemID, from: Int, to: Int)
  /// The item at a place has a new form; its id stays.
  case update(Item, at: Int)

  /// The item that it brings, new or in a new form.
  public var item: Item? {
    switch self {
    case .insert(let item, _), .update(let item, _): item
    case .remove, .move: nil
    }
  }

  /// What the list grows by.
  public var growth: Int {
    switch self {
    case .insert: 1
    case .remove: -1
    case .move, .update: 0
    }
  }
}
