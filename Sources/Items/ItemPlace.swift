/// A place where an item goes or comes.
public struct ItemPlace: Sendable, Hashable {
  /// Before the change for what goes, after it for what comes.
  public var path: ItemPath
  /// The caller's animation option, carried through unread.
  public var animation: Int

  public init(_ path: ItemPath, animation: Int = 0) {
    self.path = path
    self.animation = animation
  }
}

/// A place where a section goes or comes.
public struct SectionPlace: Sendable, Hashable {
  /// Before the change for what goes, after it for what comes.
  public var section: Int
  /// The caller's animation option, carried through unread.
  public var animation: Int

  public init(_ section: Int, animation: Int = 0) {
    self.section = section
    self.animation = animation
  }
}
