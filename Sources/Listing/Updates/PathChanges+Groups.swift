public import Items

extension PathChanges {
  /// Items of one animation option, in the order in which they are applied.
  public struct ItemGroup: Sendable, Hashable {
    /// Old places in descending, new ones in ascending order.
    public var paths: [ItemPath]
    /// The caller's animation option.
    public var animation: Int

    public init(paths: [ItemPath], animation: Int = 0) {
      self.paths = paths
      self.animation = animation
    }
  }

  /// Sections of one animation option, in the order in which they are applied.
  public struct SectionGroup: Sendable, Hashable {
    /// Old indices in descending, new ones in ascending order.
    public var sections: [Int]
    /// The caller's animation option.
    public var animation: Int

    public init(sections: [Int], animation: Int = 0) {
      self.sections = sections
      self.animation = animation
    }
  }

  /// What goes, as readers that know no reload apply it: the last first, with the old places of reloaded
  /// items that don't move.
  public var deletedItems: [ItemGroup] {
    let places = deletions + stillReloads.map { ItemPlace($0.from, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.path > $1.path })
  }

  /// What comes, as readers that know no reload apply it: the first first, with the new places of reloaded
  /// items that don't move.
  public var insertedItems: [ItemGroup] {
    let places = insertions + stillReloads.map { ItemPlace($0.to, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.path < $1.path })
  }

  /// Sections that go, the last first, with the old indices of reloaded ones.
  public var deletedSections: [SectionGroup] {
    let places = sectionDeletions + sectionReloads.map { SectionPlace($0.from, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.section > $1.section })
  }

  /// Sections that come, the first first, with the new indices of reloaded ones.
  public var insertedSections: [SectionGroup] {
    let places = sectionInsertions + sectionReloads.map { SectionPlace($0.to, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.section < $1.section })
  }

  /// New places of items that move and have a new form, ascending; to be updated when they have moved.
  public var movedUpdates: [ItemPath] {
    guard !movedItems.isEmpty, !reloads.isEmpty else { return [] }
    let moving = Set(movedItems.map(\.from))
    return reloads.filter { moving.contains($0.from) }.map(\.to)
  }

  private var stillReloads: [ItemMove] {
    guard !movedItems.isEmpty, !reloads.isEmpty else { return reloads }
    let moving = Set(movedItems.map(\.from))
    return reloads.filter { !moving.contains($0.from) }
  }

  private static func group(_ places: [ItemPlace]) -> [ItemGroup] {
    var groups: [ItemGroup] = []
    for place in places {
      if groups.last?.animation == place.animation {
        groups[groups.count - 1].paths.append(place.path)
      } else {
        groups.append(ItemGroup(paths: [place.path], animation: place.animation))
      }
    }
    return groups
  }

  private static func group(_ places: [SectionPlace]) -> [SectionGroup] {
    var groups: [SectionGroup] = []
    for place in places {
      if groups.last?.animation == place.animation {
        groups[groups.count - 1].sections.append(place.section)
      } else {
        groups.append(SectionGroup(sections: [place.section], animation: place.animation))
      }
    }
    return groups
  }
}
