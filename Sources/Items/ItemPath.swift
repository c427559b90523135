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
