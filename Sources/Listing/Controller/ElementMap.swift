public import Items

/// Elements in sections, with the supplementary ones of each (Texture 3.5).
public struct ElementMap<Source: ElementSource>: Sendable {
  /// One section, with all that belongs to it.
  public struct Section: Sendable {
    /// Stays the same when the section moves.
    public let id: Int
    /// What the source gave when the section was new.
    public let context: Source.Context
    /// The items, in order.
    public internal(set) var items: [Element<Source.Model>]
    /// Supplementary elements by kind and index.
    public internal(set) var supplementaries: [String: [Element<Source.Model>]]
  }

  /// The sections, in order.
  public internal(set) var sections: [Section]

  init(sections: [Section] = []) { self.sections = sections }

  /// Items of all sections.
  public var count: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// Items per section.
  public var counts: [Int] { sections.map(\.items.count) }

  /// The item at a place; nil when there is none.
  public subscript(path: ItemPath) -> Element<Source.Model>? {
    guard sections.indices.contains(path.section) else { return nil }
    let items = sections[path.section].items
    return items.indices.contains(path.item) ? items[path.item] : nil
  }

  /// A supplementary element; nil when there is none.
  public func supplementary(_ kind: String, at path: ItemPath) -> Element<Source.Model>? {
    guard sections.indices.contains(path.section),
      let elements = sections[path.section].supplementaries[kind], elements.indices.contains(path.item)
    else { return nil }
    return elements[path.item]
  }

  /// Where an item is; takes time in proportion to all items.
  public func path(of id: ElementID) -> ItemPath? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(where: { $0.id == id }) {
        return ItemPath(section: section, item: item)
      }
    }
    return nil
  }

  /// The index of a place when the sections are laid end to end, as ranges count.
  public func index(of path: ItemPath) -> Int {
    sections[..<path.section].reduce(path.item) { $0 + $1.items.count }
  }

  /// The place at an index of the sections laid end to end; nil past the end.
  public func path(at index: Int) -> ItemPath? {
    var item = index
    for (number, section) in sections.enumerated() {
      if item < section.items.count { return ItemPath(section: number, item: item) }
      item -= section.items.count
    }
    return nil
  }

  /// All elements, supplementary ones behind the items of their section.
  var elements: some Sequence<Element<Source.Model>> {
    sections.lazy.flatMap { section in
      [section.items] + section.supplementaries.sorted { $0.key < $1.key }.map(\.value)
    }.joined()
  }
}
