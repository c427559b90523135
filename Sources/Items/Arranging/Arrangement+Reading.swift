extension Arrangement {
  /// A run and where it begins.
  struct PlacedRun {
    var path: ItemPath
    var run: Run
  }

  /// The fewest sections that have to move, ascending by where they go.
  var sectionMoves: [SectionMove] {
    let kept = sections.indices.filter { sections[$0].origin != nil }
    let origins = kept.compactMap { sections[$0].origin }
    let stays = heaviestChain(keys: origins, weights: origins.map { _ in 1 })
    return kept.indices.filter { !stays[$0] }.map { index in
      SectionMove(from: origins[index], to: kept[index], animation: sections[kept[index]].animation)
    }
  }

  /// The runs of a section that the change brings.
  func freshRuns(ofSection index: Int) -> [PlacedRun] {
    placedRuns(ofSection: index).filter { if case .fresh = $0.run.source { true } else { false } }
  }

  /// The runs of old items that don't simply stay: the fewest items that have to move, and all that come
  /// from other sections.
  func movedRuns(ofSection index: Int) -> [(from: Int, placed: PlacedRun)] {
    let origin = sections[index].origin
    let old = placedRuns(ofSection: index).compactMap { placed -> (from: Int, placed: PlacedRun)? in
      if case .old(let section) = placed.run.source { (section, placed) } else { nil }
    }
    let own = old.filter { $0.from == origin }.map(\.placed.run.range)
    let stays = heaviestChain(keys: own.map(\.lowerBound), weights: own.map(\.count))
    var next = 0
    return old.filter { from, _ in
      guard from == origin else { return true }
      next += 1
      return !stays[next - 1]
    }
  }

  func placedRuns(ofSection index: Int) -> [PlacedRun] {
    var item = 0
    return sections[index].runs.map { run in
      defer { item += run.range.count }
      return PlacedRun(path: ItemPath(section: index, item: item), run: run)
    }
  }
}

extension Arrangement.PlacedRun {
  /// One move for each item of the run.
  func moves(from section: Int) -> [ItemMove] {
    run.range.enumerated().map { offset, item in
      ItemMove(
        from: ItemPath(section: section, item: item),
        to: ItemPath(section: path.section, item: path.item + offset), animation: run.animation)
    }
  }
}
