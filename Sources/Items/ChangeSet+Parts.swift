extension ChangeSet {
  /// Items that go, in one run.
  public struct Removal: Sendable, Hashable {
    /// The section they leave, before the change.
    public var section: Int
    /// Their indices before the change.
    public var range: Range<Int>
    /// The caller's animation option, carried through unread.
    public var animation: Int

    public init(section: Int = 0, range: Range<Int>, animation: Int = 0) {
      self.section = section
      self.range = range
      self.animation = animation
    }
  }

  /// Items that come, in one run from `path` on.
  public struct Insertion: Sendable, Equatable {
    /// Where the first of them is after the change.
    public var path: ItemPath
    /// In their order.
    public var items: [Item]
    /// The caller's animation option, carried through unread.
    public var animation: Int

    public init(path: ItemPath, items: [Item], animation: Int = 0) {
      self.path = path
      self.items = items
      self.animation = animation
    }
  }

  /// A section that comes.
  public struct SectionInsertion: Sendable, Equatable {
    /// Its index after the change.
    public var section: Int
    /// What it brings, in order; items that move into it are put between them.
    public var items: [Item]
    /// The caller's animation option, carried through unread.
    public var animation: Int

    public init(section: Int, items: [Item] = [], animation: Int = 0) {
      self.section = section
      self.items = items
      self.animation = animation
    }
  }

  /// An item in its new form.
  public struct Update: Sendable, Equatable {
    /// Where it is after the change.
    public var path: ItemPath
    /// The new form.
    public var item: Item
    /// The caller's animation option, carried through unread.
    public var animation: Int

    public init(path: ItemPath, item: Item, animation: Int = 0) {
      self.path = path
      self.item = item
      self.animation = animation
    }
  }
}
