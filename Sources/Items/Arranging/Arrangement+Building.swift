extension Arrangement {
  /// Puts everything in its place, or says what does not fit.
  init(_ blueprint: Blueprint) throws(ChangeSetMismatch) {
    sections = try blueprint.layOutSections()
    removals = blueprint.removals
    sectionRemovals = blueprint.sectionRemovals
    let gaps = try Gap.lists(of: blueprint)
    let base = sections.map { section in
      section.origin.map { Gap.remainder(of: $0, count: blueprint.counts[$0], gaps: gaps[$0]) } ?? []
    }
    for index in sections.indices { sections[index].runs = base[index] }
    for (number, lot) in blueprint.sectionInsertions.enumerated() {
      let source = Source.fresh(blueprint.insertions.count + number)
      let run = Run(source: source, range: 0..<lot.count, animation: lot.animation)
      sections[lot.path.section].runs.extend(by: run)
    }
    let counts = sections.map(\.count)
    for (index, fillers) in try Filler.lists(of: blueprint, counts: counts) where !fillers.isEmpty {
      let runs = sections[index].runs
      sections[index].runs = try Filler.fill(runs, with: fillers, section: index, counts: counts)
    }
  }
}

/// Old items that leave their place.
private struct Gap {
  var range: Range<Int>
  var part: ChangeSetMismatch.Part

  /// For every old section, ascending and apart from each other.
  static func lists(of blueprint: Blueprint) throws(ChangeSetMismatch) -> [[Gap]] {
    let counts = blueprint.counts
    var lists: [[Gap]] = Array(repeating: [], count: counts.count)
    func add(_ gap: Gap, _ section: Int) throws(ChangeSetMismatch) {
      let range = gap.range
      guard counts.indices.contains(section), range.lowerBound >= 0, range.upperBound <= counts[section]
      else {
        throw gap.mismatch(section, counts)
      }
      lists[section].append(gap)
    }
    for removal in blueprint.removals {
      try add(Gap(range: removal.range, part: .removal), removal.section)
    }
    for move in blueprint.moves {
      try add(Gap(range: move.from.item..<move.from.item + 1, part: .move), move.from.section)
    }
    for section in lists.indices where lists[section].count > 1 {
      lists[section].sort { $0.range.lowerBound < $1.range.lowerBound }
      for (gap, next) in zip(lists[section], lists[section].dropFirst())
      where next.range.lowerBound < gap.range.upperBound {
        throw next.mismatch(section, counts)
      }
    }
    return lists
  }

  static func remainder(of section: Int, count: Int, gaps: [Gap]) -> [Arrangement.Run] {
    var runs: [Arrangement.Run] = []
    var next = 0
    for gap in gaps {
      runs.extend(by: Arrangement.Run(source: .old(section), range: next..<gap.range.lowerBound))
      next = gap.range.upperBound
    }
    runs.extend(by: Arrangement.Run(source: .old(section), range: next..<count))
    return runs
  }

  private func mismatch(_ section: Int, _ counts: [Int]) -> ChangeSetMismatch {
    ChangeSetMismatch(
      part: part, path: ItemPath(section: section, item: range.upperBound - 1), counts: counts)
  }
}

/// Items that come to a place.
private struct Filler {
  var start: Int
  var run: Arrangement.Run

  /// For every new section that has some, ascending.
  static func lists(
    of blueprint: Blueprint, counts: [Int]
  ) throws(ChangeSetMismatch) -> [(section: Int, fillers: [Filler])] {
    var lists: [(section: Int, fillers: [Filler])] = counts.indices.map { ($0, []) }
    func add(_ run: Arrangement.Run, _ path: ItemPath) throws(ChangeSetMismatch) {
      guard lists.indices.contains(path.section), path.item >= 0 else {
        throw ChangeSetMismatch(part: .insertion, path: path, counts: counts)
      }
      lists[path.section].fillers.append(Filler(start: path.item, run: run))
    }
    for (number, lot) in blueprint.insertions.enumerated() where lot.count > 0 {
      try add(
        Arrangement.Run(source: .fresh(number), range: 0..<lot.count, animation: lot.animation), lot.path)
    }
    for move in blueprint.moves {
      let range = move.from.item..<move.from.item + 1
      try add(
        Arrangement.Run(source: .old(move.from.section), range: range, animation: move.animation), move.to)
    }
    for index in lists.indices where lists[index].fillers.count > 1 {
      lists[index].fillers.sort { $0.start < $1.start }
    }
    return lists
  }

  static func fill(
    _ base: [Arrangement.Run], with fillers: [Filler], section: Int, counts: [Int]
  ) throws(ChangeSetMismatch) -> [Arrangement.Run] {
    var result: [Arrangement.Run] = []
    result.reserveCapacity(base.count + fillers.count * 2)
    var rest = RunReader(base)
    var position = 0
    for filler in fillers {
      let isReached = filler.start >= position && rest.take(filler.start - position, into: &result)
      guard isReached else {
        let path = ItemPath(section: section, item: filler.start)
        throw ChangeSetMismatch(part: .insertion, path: path, counts: counts)
      }
      result.extend(by: filler.run)
      position = filler.start + filler.run.range.count
    }
    rest.takeAll(into: &result)
    return result
  }
}
