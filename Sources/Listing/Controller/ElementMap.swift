public import Items

/// Elements in sections, with the supplementary ones of each (Texture 3.5).
public struct ElementMap<Source: ElementSource>: Sendable {
  /// One section and its elements.
  public struct Section: Sendable {
    /// Stays the same when the section moves.
    public let id: Int
    /// What the source returned when the section was new.
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

  /// The item at a place; nil if there is none.
  public subscript(path: ItemPath) -> Element<Source.Model>? {
    guard sections.indices.contains(path.section) else { return nil }
    let items = sections[path.section].items
    return items.indices.contains(path.item) ? items[path.item] : nil
  }

  /// A supplementary element; nil if there is none.
  public func supplementary(_ kind: String, at path: ItemPath) -> Element<Source.Model>? {
    guard sections.indices.contains(path.section),
      let elements = sections[path.section].supplementaries[kind], elements.indices.contains(path.item)
    else { return nil }
    return elements[path.item]
  }

  /// The place of an item; takes time proportional to all items.
  public func path(of id: ElementID) -> ItemPath? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(where: { $0.id == id }) {
        return ItemPath(section: section, item: item)
      }
    }
    return nil
  }

  /// The index of a place with all sections laid end to end, as ranges count.
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

  /// All elements, supplementary ones after the items of their section.
  var elements: some Sequence<Element<Source.Model>> {
    sections.lazy.flatMap { section in
      [section.items] + section.supplementaries.sorted { $0.key < $1.key }.map(\.value)
    }.joined()
  }

  /// Applies a change; returns the removed elements, including those that come back with a new model.
  ///
  /// Only touched sections cost anything, and one that only grows at its end costs what it grows by.
  mutating func apply(_ change: ElementChange<Source>) -> [ElementID] {
    let paths = change.paths
    var gone: [ElementID] = []
    guard !paths.isReload else {
      gone = elements.map(\.id)
      sections = change.sections
      return gone
    }
    let arrivals = Arrivals(of: change, from: self)
    removeItems(paths, into: &gone)
    if !paths.keepsSections { rearrangeSections(change, into: &gone) }
    putIn(arrivals)
    for (section, supplementaries) in change.supplementaries {
      gone += sections[section].supplementaries.values.joined().map(\.id)
      sections[section].supplementaries = supplementaries
    }
    return gone
  }

  private mutating func removeItems(_ paths: PathChanges, into gone: inout [ElementID]) {
    var leaving = paths.deletions.map(\.path) + paths.reloads.map(\.from)
    gone += leaving.map { sections[$0.section].items[$0.item].id }
    leaving = Set(leaving + paths.movedItems.map(\.from)).sorted()
    for run in leaving.chunked(by: \.section) {
      let section = run[run.startIndex].section
      if run.count == 1 {
        sections[section].items.remove(at: run[run.startIndex].item)
        continue
      }
      var next = run.startIndex
      var kept: [Element<Source.Model>] = []
      for (index, element) in sections[section].items.enumerated() {
        if next < run.endIndex, run[next].item == index { next += 1 } else { kept.append(element) }
      }
      sections[section].items = kept
    }
  }

  private mutating func putIn(_ arrivals: Arrivals) {
    for run in arrivals.paths.chunked(by: \.section) {
      let section = run[run.startIndex].section
      let place = run[run.startIndex].item
      let elements = arrivals.elements[run.indices]
      let count = sections[section].items.count
      if place >= count {
        sections[section].items.append(contentsOf: elements)
        continue
      }
      if run.count == 1 {
        sections[section].items.insert(elements[elements.startIndex], at: place)
        continue
      }
      var rest = sections[section].items[...]
      var merged: [Element<Source.Model>] = []
      merged.reserveCapacity(count + run.count)
      for (path, element) in zip(run, elements) {
        let distance = path.item - merged.count
        merged += rest.prefix(distance)
        rest = rest.dropFirst(distance)
        merged.append(element)
      }
      sections[section].items = merged + rest
    }
  }

  private mutating func rearrangeSections(_ change: ElementChange<Source>, into gone: inout [ElementID]) {
    let paths = change.paths
    var old = sections.map(Optional.some)
    sections = []
    var new: [Section?] = Array(repeating: nil, count: paths.newCounts.count)
    for section in paths.sectionDeletions.map(\.section) + paths.sectionReloads.map(\.from) {
      gone += ElementMap(sections: [old[section]!]).elements.map(\.id)
      old[section] = nil
    }
    for (index, section) in zip(paths.newSections, change.sections) { new[index] = section }
    for move in paths.movedSections {
      new[move.to] = old[move.from]
      old[move.from] = nil
    }
    var staying = old.compactMap(\.self).makeIterator()
    sections = new.map { $0 ?? staying.next()! }
  }

  /// Elements inserted into old sections or moved within them, ascending by new place.
  private struct Arrivals {
    private(set) var paths: [ItemPath]
    private(set) var elements: [Element<Source.Model>]

    /// `map` is the state before the change.
    init(of change: ElementChange<Source>, from map: ElementMap) {
      (paths, elements) = (change.paths.newPaths, change.items)
      guard !change.paths.movedItems.isEmpty else { return }
      let reloaded = Set(change.paths.reloads.map(\.from))
      for move in change.paths.movedItems where !reloaded.contains(move.from) {
        paths.append(move.to)
        elements.append(map.sections[move.from.section].items[move.from.item])
      }
      let order = paths.indices.sorted { paths[$0] < paths[$1] }
      (paths, elements) = (order.map { paths[$0] }, order.map { elements[$0] })
    }
  }
}

extension PathChanges {
  /// New indices of sections that are inserted or reloaded.
  var newSections: [Int] { (sectionInsertions.map(\.section) + sectionReloads.map(\.to)).sorted() }

  /// New places of items requested from the source outside of such sections.
  var newPaths: [ItemPath] {
    let paths = insertions.map(\.path)
    return reloads.isEmpty ? paths : (paths + reloads.map(\.to)).sorted()
  }

  var keepsSections: Bool {
    sectionDeletions.isEmpty && sectionInsertions.isEmpty && sectionReloads.isEmpty && movedSections.isEmpty
  }
}

extension Array {
  /// Runs of adjacent elements with the same value.
  func chunked<Value: Equatable>(by value: (Element) -> Value) -> [ArraySlice<Element>] {
    var result: [ArraySlice<Element>] = []
    var start = 0
    for index in indices where index + 1 == count || value(self[index]) != value(self[index + 1]) {
      result.append(self[start...index])
      start = index + 1
    }
    return result
  }
}
