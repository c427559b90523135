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

/// The place of a deleted or inserted item, or the index of a deleted or inserted section.
public struct Place<Path: Hashable & Sendable>: Sendable, Hashable {
  /// Before the change for what is deleted, after it for what is inserted.
  public var path: Path
  /// The caller's animation option, passed through unchanged.
  public var animation: Int

  public init(_ path: Path, animation: Int = 0) {
    self.path = path
    self.animation = animation
  }
}

/// The move of an item, possibly to another section, or of a section with its items.
public struct Move<Path: Hashable & Sendable>: Sendable, Hashable {
  /// Its place before the change.
  public var from: Path
  /// Its place after the change.
  public var to: Path
  /// The caller's animation option, passed through unchanged.
  public var animation: Int

  public init(from: Path, to: Path, animation: Int = 0) {
    self.from = from
    self.to = to
    self.animation = animation
  }
}

/// The place of a deleted or inserted item.
public typealias ItemPlace = Place<ItemPath>

/// The index of a deleted or inserted section.
public typealias SectionPlace = Place<Int>

/// The move of an item, possibly to another section.
public typealias ItemMove = Move<ItemPath>

/// The move of a section with its items.
public typealias SectionMove = Move<Int>

extension Place<Int> {
  /// The index of the section.
  public var section: Int { path }
}
