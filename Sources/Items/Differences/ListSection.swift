/// One section of a list, for finding how sectioned lists differ.
public struct ListSection<ID: Hashable, Element> {
  /// What makes the section itself.
  public var id: ID
  /// In their order.
  public var elements: [Element]

  public init(id: ID, elements: [Element]) {
    self.id = id
    self.elements = elements
  }
}

extension ListSection: Sendable where ID: Sendable, Element: Sendable {}

extension Array {
  /// How older sections became these; sections with equal ids are the same section, elements with equal ids
  /// the same element.
  ///
  /// An element that is in the same section before and after is not sought in others. One that went to another
  /// section moves, when both sections are there before and after; else it goes, or comes, with its section.
  /// The parameters are those of the difference of two lists.
  @inlinable
  public func difference<SectionID: Hashable, Member, ID: Hashable>(
    from old: [ListSection<SectionID, Member>], id: (Member) -> ID,
    isContentEqual: (_ old: Member, _ new: Member) -> Bool, limit: Int? = nil
  ) -> PathChanges where Element == ListSection<SectionID, Member> {
    let sections = difference(from: old, id: { $0.id }, limit: limit)
    var assembly = SectionedAssembly(
      sections, oldCounts: old.map(\.elements.count), newCounts: map(\.elements.count), limit: limit)
    for (from, to) in assembly.keptSections {
      let members = self[to].elements.difference(
        from: old[from].elements, id: id, isContentEqual: isContentEqual, limit: limit)
      assembly.add(members, from: from, to: to)
    }
    let strays = assembly.strays
    if !strays.old.isEmpty, !strays.new.isEmpty {
      let leaving = strays.old.map { old[$0.section].elements[$0.item] }
      let coming = strays.new.map { self[$0.section].elements[$0.item] }
      let found = coming.difference(from: leaving, id: id, isContentEqual: isContentEqual)
      assembly.link(strays, found)
    }
    return assembly.pathChanges
  }
}
