/// An item that goes from one place to another, also across sections.
public struct ItemMove: Sendable, Hashable {
  /// Where it was before the change.
  public var from: ItemPath
  /// Where it is after the change.
  public var to: ItemPath
  /// The caller's animation option, carried through unread.
  public var animation: Int

  public init(from: ItemPath, to: ItemPath, animation: Int = 0) {
    self.from = from
    self.to = to
    self.animation = animation
  }
}

/// A section that goes from one place to another, with its items.
public struct SectionMove: Sendable, Hashable {
  /// Its index before the change.
  public var from: Int
  /// Its index after the change.
  public var to: Int
  /// The caller's animation option, carried through unread.
  public var animation: Int

  public init(from: Int, to: Int, animation: Int = 0) {
    self.from = from
    self.to = to
    self.animation = animation
  }
}
