/// A place in an item set: a section and an index in it, both from 0.
public struct ItemPath: Hashable, Sendable, Comparable {
  /// From 0.
  public var section: Int
  /// Index in the section, from 0.
  public var item: Int

  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }

  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

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
