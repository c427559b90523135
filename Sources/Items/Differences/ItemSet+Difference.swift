extension ItemSet {
  /// The change set that turns an older item set into this one; sections are the same by their place.
  ///
  /// Where items were released on either side, what was there is not known any more: it is a reload with the
  /// items that are held. So it is with more than `limit` changes.
  public func difference(from old: ItemSet, limit: Int? = nil) -> ChangeSet {
    let isWhole = [self, old].allSatisfy { set in
      (0..<set.sectionCount).allSatisfy { set.releasedCount(ofSection: $0) == 0 }
    }
    let new = listSections
    let changes =
      isWhole
      ? new.difference(
        from: old.listSections, id: { $0.id }, isContentEqual: { $0.bytes == $1.bytes }, limit: limit)
      : PathChanges(
        reloading: old.listSections.map(\.elements.count), newCounts: new.map(\.elements.count))
    return changes.changeSet { new[$0.section].elements[$0.item] }
  }

  private var listSections: [ListSection<Int, Item>] {
    (0..<sectionCount).map { ListSection(id: $0, elements: items(ofSection: $0)) }
  }
}
