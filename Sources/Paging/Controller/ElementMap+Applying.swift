import Items

extension ElementMap {
  /// Applies a change; gives the elements that are gone, those that come back with a new model among them.
  ///
  /// Only sections that are touched cost anything, and one that only grows at its end costs what it grows by.
  mutating func apply(_ change: ElementChange<Source>) -> [ElementID] {
    let paths = change.paths
    var gone: [ElementID] = []
    guard !paths.isReload else {
      gone = elements.map(\.id)
      sections = change.sections
      return gone
    }
    var arrivals = zip(paths.newPaths, change.items).map { Arrival(path: $0, element: $1) }
    let reloaded = Set(paths.reloads.map(\.from))
    for move in paths.movedItems where !reloaded.contains(move.from) {
      arrivals.append(Arrival(path: move.to, element: sections[move.from.section].items[move.from.item]))
    }
    takeOut(paths, into: &gone)
    if !paths.keepsSections { rearrangeSections(change, into: &gone) }
    putIn(arrivals)
    for (section, supplementaries) in change.supplementaries {
      gone += sections[section].supplementaries.values.joined().map(\.id)
      sections[section].supplementaries = supplementaries
    }
    return gone
  }

  private struct Arrival {
    var path: ItemPath
    var element: Element<Source.Model>
  }

  private mutating func takeOut(_ paths: PathChanges, into gone: inout [ElementID]) {
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

  private mutating func putIn(_ arrivals: [Arrival]) {
    for run in arrivals.sorted(by: { $0.path < $1.path }).chunked(by: \.path.section) {
      let section = run[run.startIndex].path.section
      let count = sections[section].items.count
      if run[run.startIndex].path.item >= count {
        sections[section].items.append(contentsOf: run.lazy.map(\.element))
        continue
      }
      if run.count == 1 {
        sections[section].items.insert(run[run.startIndex].element, at: run[run.startIndex].path.item)
        continue
      }
      var rest = sections[section].items[...]
      var merged: [Element<Source.Model>] = []
      merged.reserveCapacity(count + run.count)
      for arrival in run {
        let distance = arrival.path.item - merged.count
        merged += rest.prefix(distance)
        rest = rest.dropFirst(distance)
        merged.append(arrival.element)
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
}

extension PathChanges {
  /// New indices of the sections that bring all their items.
  var newSections: [Int] { (sectionInsertions.map(\.section) + sectionReloads.map(\.to)).sorted() }

  /// New places of the items that are asked of the source, outside of such sections.
  var newPaths: [ItemPath] { (insertions.map(\.path) + reloads.map(\.to)).sorted() }

  var keepsSections: Bool {
    sectionDeletions.isEmpty && sectionInsertions.isEmpty && sectionReloads.isEmpty && movedSections.isEmpty
  }
}

extension Array {
  /// Runs of neighbours of which something is the same.
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
