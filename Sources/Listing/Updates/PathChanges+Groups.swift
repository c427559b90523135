public import Items

extension PathChanges {
  /// Items or sections with the same animation option, in the order they are applied.
  public struct Group<Path: Hashable & Sendable>: Sendable, Hashable {
    /// Old places descending, new ones ascending.
    public var paths: [Path]
    /// The caller's animation option.
    public var animation: Int

    public init(paths: [Path], animation: Int = 0) {
      self.paths = paths
      self.animation = animation
    }
  }

  /// Items with the same animation option.
  public typealias ItemGroup = Group<ItemPath>

  /// Sections with the same animation option.
  public typealias SectionGroup = Group<Int>

  /// Deleted items for readers without reloads: last first, with the old places of reloaded items that don't move.
  public var deletedItems: [ItemGroup] {
    let places = deletions + stillReloads.map { ItemPlace($0.from, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.path > $1.path })
  }

  /// Inserted items for readers without reloads: first first, with the new places of reloaded items that don't move.
  public var insertedItems: [ItemGroup] {
    let places = insertions + stillReloads.map { ItemPlace($0.to, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.path < $1.path })
  }

  /// Deleted sections, last first, including the old indices of reloaded ones.
  public var deletedSections: [SectionGroup] {
    let places = sectionDeletions + sectionReloads.map { SectionPlace($0.from, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.section > $1.section })
  }

  /// Inserted sections, first first, including the new indices of reloaded ones.
  public var insertedSections: [SectionGroup] {
    let places = sectionInsertions + sectionReloads.map { SectionPlace($0.to, animation: $0.animation) }
    return PathChanges.group(places.sorted { $0.section < $1.section })
  }

  /// New places of items that move and have new content, ascending; to be updated after the moves.
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

  private static func group<Path>(_ places: [Place<Path>]) -> [Group<Path>] {
    var groups: [Group<Path>] = []
    for place in places {
      if groups.last?.animation == place.animation {
        groups[groups.count - 1].paths.append(place.path)
      } else {
        groups.append(Group(paths: [place.path], animation: place.animation))
      }
    }
    return groups
  }
}
