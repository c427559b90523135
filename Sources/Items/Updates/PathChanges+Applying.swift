extension PathChanges {
  /// Turns the old elements into the new ones; `element` gives what comes or is reloaded, by its new place.
  ///
  /// The sections have to be those that the change was made for. Elements of whole new sections are asked for in
  /// order, before those of reloaded items.
  public func apply<Element>(to sections: inout [[Element]], element: (ItemPath) -> Element) {
    let counts = sections.map(\.count)
    precondition(counts == oldCounts, "a change of \(oldCounts) items applied to \(counts)")
    guard !isReload else {
      sections = newCounts.indices.map { section in
        (0..<newCounts[section]).map { element(ItemPath(section: section, item: $0)) }
      }
      return
    }
    arrangement.apply(to: &sections) { run, path in
      (path.item..<path.item + run.range.count).map { element(ItemPath(section: path.section, item: $0)) }
    }
    for reload in reloads { sections[reload.to.section][reload.to.item] = element(reload.to) }
  }

  /// Where everything comes from; reloaded sections are fresh, and their old items are removed.
  var arrangement: Arrangement {
    var lots = PathChanges.runs(of: insertions).map {
      Blueprint.Lot(path: $0.path, count: $0.count, animation: $0.animation)
    }
    let sections = sectionInsertions.map {
      Blueprint.Lot(
        path: ItemPath(section: $0.section, item: 0), count: newCounts[$0.section], animation: $0.animation)
    }
    for reload in sectionReloads {
      let path = ItemPath(section: reload.to, item: 0)
      lots.append(Blueprint.Lot(path: path, count: newCounts[reload.to], animation: reload.animation))
    }
    let blueprint = Blueprint(
      counts: oldCounts, removals: removals, sectionRemovals: sectionDeletions, sectionMoves: movedSections,
      sectionInsertions: sections, moves: movedItems, insertions: lots)
    do {
      var arrangement = try Arrangement(blueprint)
      for reload in sectionReloads { arrangement.sections[reload.to].isReloaded = true }
      return arrangement
    } catch {
      preconditionFailure("a validated change does not fit \(oldCounts): \(error)")
    }
  }

  /// Lots of fresh items that an arrangement of this change has.
  var lotCount: Int { insertions.count + sectionInsertions.count + sectionReloads.count }

  /// Runs of items that go, those of reloaded sections included.
  var removals: [ChangeSet.Removal] {
    PathChanges.runs(of: deletions).map {
      let start = $0.path.item
      return ChangeSet.Removal(
        section: $0.path.section, range: start..<start + $0.count, animation: $0.animation)
    }
      + sectionReloads.filter { oldCounts[$0.from] > 0 }.map {
        ChangeSet.Removal(section: $0.from, range: 0..<oldCounts[$0.from], animation: $0.animation)
      }
  }

  /// Neighbours of one animation option as one; the places are in ascending order.
  static func runs(of places: [ItemPlace]) -> [(path: ItemPath, count: Int, animation: Int)] {
    var runs: [(path: ItemPath, count: Int, animation: Int)] = []
    for place in places {
      if let last = runs.last, last.animation == place.animation, last.path.section == place.path.section,
        last.path.item + last.count == place.path.item
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((place.path, 1, place.animation))
      }
    }
    return runs
  }
}
