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

/// The place of a deleted or inserted item.
public struct ItemPlace: Sendable, Hashable {
  /// Before the change for a deleted item, after it for an inserted one.
  public var path: ItemPath
  /// The caller's animation option, passed through unchanged.
  public var animation: Int

  public init(_ path: ItemPath, animation: Int = 0) {
    self.path = path
    self.animation = animation
  }
}

/// The index of a deleted or inserted section.
public struct SectionPlace: Sendable, Hashable {
  /// Before the change for a deleted section, after it for an inserted one.
  public var section: Int
  /// The caller's animation option, passed through unchanged.
  public var animation: Int

  public init(_ section: Int, animation: Int = 0) {
    self.section = section
    self.animation = animation
  }
}

/// The move of an item, possibly to another section.
public struct ItemMove: Sendable, Hashable {
  /// Its place before the change.
  public var from: ItemPath
  /// Its place after the change.
  public var to: ItemPath
  /// The caller's animation option, passed through unchanged.
  public var animation: Int

  public init(from: ItemPath, to: ItemPath, animation: Int = 0) {
    self.from = from
    self.to = to
    self.animation = animation
  }
}

/// The move of a section with its items.
public struct SectionMove: Sendable, Hashable {
  /// Its index before the change.
  public var from: Int
  /// Its index after the change.
  public var to: Int
  /// The caller's animation option, passed through unchanged.
  public var animation: Int

  public init(from: Int, to: Int, animation: Int = 0) {
    self.from = from
    self.to = to
    self.animation = animation
  }
}
