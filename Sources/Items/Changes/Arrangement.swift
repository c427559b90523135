/// Where every item of the new sections comes from: what applying and merging have in common.
///
/// Stored as runs, so unchanged items cost nothing.
struct Arrangement: Sendable {
  /// Where a run of items comes from.
  enum Source: Sendable, Equatable {
    /// An old section.
    case old(Int)
    /// A numbered lot of items inserted by the change.
    case fresh(Int)
  }

  /// Consecutive items from one source.
  struct Run: Sendable, Equatable {
    var source: Source
    var range: Range<Int>
    /// The animation option of the insertion or move that put them here.
    var animation = 0

    /// A part of the run; the bounds are relative to its start.
    subscript(part: Range<Int>) -> Run {
      let start = range.lowerBound
      return Run(
        source: source, range: start + part.lowerBound..<start + part.upperBound, animation: animation)
    }
  }

  /// A new section.
  struct Section: Sendable {
    /// The old section it was; nil for an inserted one.
    var origin: Int?
    var runs: [Run] = []
    /// Whether it kept its identity but none of its items.
    var isReloaded = false
    var animation = 0

    var count: Int { runs.reduce(0) { $0 + $1.range.count } }
  }

  var sections: [Section]
  /// Removed items, by old indices.
  var removals: [ChangeSet.Removal]
  /// Removed sections, by old indices.
  var sectionRemovals: [SectionPlace]

  /// Rearranges sections of elements; `fresh` returns the elements of an inserted run that starts at the path.
  ///
  /// A section that only grows at its end is appended to in place, at the cost of what is appended.
  func apply<Element>(
    to sections: inout [[Element]], fresh: (_ run: Run, _ path: ItemPath) -> [Element]
  ) {
    let parts = self.sections.indices.map { part($0, sections, fresh) }
    var result: [[Element]] = []
    result.reserveCapacity(parts.count)
    for (index, part) in parts.enumerated() {
      guard part.keepsBeginning, let origin = self.sections[index].origin else {
        result.append(part.elements)
        continue
      }
      var section: [Element] = []
      swap(&section, &sections[origin])
      section.append(contentsOf: part.elements)
      result.append(section)
    }
    sections = result
  }

  /// Whether a new section starts with all items of its old one.
  private func keepsBeginning(_ section: Section, _ counts: (Int) -> Int) -> Bool {
    guard let origin = section.origin else { return false }
    let count = counts(origin)
    if count == 0 { return true }
    guard let first = section.runs.first else { return false }
    return first.source == .old(origin) && first.range == 0..<count
  }

  /// The elements of a new section, without those of the old one if it starts with all of them.
  private func part<Element>(
    _ index: Int, _ sections: [[Element]], _ fresh: (Run, ItemPath) -> [Element]
  ) -> (keepsBeginning: Bool, elements: [Element]) {
    let section = self.sections[index]
    let keeps = keepsBeginning(section) { sections[$0].count }
    let start = keeps ? sections[section.origin!].count : 0
    var position = start
    var elements: [Element] = []
    for run in section.runs.dropFirst(start > 0 ? 1 : 0) {
      switch run.source {
      case .old(let origin): elements.append(contentsOf: sections[origin][run.range])
      case .fresh: elements += fresh(run, ItemPath(section: index, item: position))
      }
      position += run.range.count
    }
    return (keeps, elements)
  }

  /// This change followed by a later one, as one; lots of the later one are numbered from `lotCount`.
  func followed(by later: Arrangement, lotCount: Int) -> Arrangement {
    var result = Arrangement(sections: [], removals: removals, sectionRemovals: sectionRemovals)
    let indices = sections.map { RunIndex($0.runs) }
    for section in later.sections {
      result.sections.append(compose(section, indices, lotCount))
    }
    for removal in later.removals {
      let gone = indices[removal.section].slice(removal.range)
      result.remove(gone, animation: removal.animation)
    }
    for place in later.sectionRemovals {
      let section = sections[place.section]
      if let origin = section.origin {
        result.sectionRemovals.append(SectionPlace(origin, animation: place.animation))
      }
      let guests = section.runs.filter { section.origin.map(Source.old) != $0.source }
      result.remove(guests, animation: place.animation)
    }
    return result
  }

  private func compose(_ section: Section, _ indices: [RunIndex], _ lotCount: Int) -> Section {
    var result = Section(origin: nil, isReloaded: section.isReloaded, animation: section.animation)
    if let middle = section.origin {
      result.origin = sections[middle].origin
      result.isReloaded = section.isReloaded || sections[middle].isReloaded
      if result.animation == 0 { result.animation = sections[middle].animation }
    }
    for run in section.runs {
      switch run.source {
      case .fresh(let number):
        result.runs.extend(
          by: Run(source: .fresh(lotCount + number), range: run.range, animation: run.animation))
      case .old(let middle):
        for var part in indices[middle].slice(run.range) {
          if run.animation != 0 { part.animation = run.animation }
          result.runs.extend(by: part)
        }
      }
    }
    return result
  }

  /// Records the old items among these as removed; fresh ones leave no trace.
  private mutating func remove(_ runs: [Run], animation: Int) {
    for run in runs {
      if case .old(let section) = run.source {
        removals.append(ChangeSet.Removal(section: section, range: run.range, animation: animation))
      }
    }
  }

  /// A run and where it starts.
  struct PlacedRun {
    var path: ItemPath
    var run: Run
  }

  /// The fewest sections that have to move, ascending by new index.
  var sectionMoves: [SectionMove] {
    let kept = sections.indices.filter { sections[$0].origin != nil }
    let origins = kept.compactMap { sections[$0].origin }
    let stays = heaviestChain(keys: origins, weights: origins.map { _ in 1 })
    return kept.indices.filter { !stays[$0] }.map { index in
      SectionMove(from: origins[index], to: kept[index], animation: sections[kept[index]].animation)
    }
  }

  /// The inserted runs of a section.
  func freshRuns(ofSection index: Int) -> [PlacedRun] {
    placedRuns(ofSection: index).filter { if case .fresh = $0.run.source { true } else { false } }
  }

  /// The runs of old items that do not stay: the fewest that have to move, and all that come from other sections.
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

extension Array<Arrangement.Run> {
  /// Appends a run, merged into the last one if it continues it.
  mutating func extend(by run: Arrangement.Run) {
    guard !run.range.isEmpty else { return }
    if let last, last.source == run.source, last.animation == run.animation,
      last.range.upperBound == run.range.lowerBound
    {
      self[count - 1].range = last.range.lowerBound..<run.range.upperBound
    } else {
      append(run)
    }
  }
}

/// Finds the runs that cover a range of items.
struct RunIndex {
  private let runs: [Arrangement.Run]
  /// The start of each run.
  private var starts: [Int] = []

  init(_ runs: [Arrangement.Run]) {
    self.runs = runs
    var start = 0
    for run in runs {
      starts.append(start)
      start += run.range.count
    }
  }

  func slice(_ range: Range<Int>) -> [Arrangement.Run] {
    var result: [Arrangement.Run] = []
    var index = place(of: range.lowerBound)
    while index < runs.count, starts[index] < range.upperBound {
      let whole = starts[index]..<starts[index] + runs[index].range.count
      let part = whole.clamped(to: range)
      result.extend(by: runs[index][part.lowerBound - starts[index]..<part.upperBound - starts[index]])
      index += 1
    }
    return result
  }

  /// The index of the run that contains an item.
  func place(of item: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= item { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
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

/// Maps the items of a middle state to their places after the later of two changes.
struct PathTracker {
  private struct Stretch {
    var items: Range<Int>
    var path: ItemPath
  }

  /// For each middle section, ascending.
  private var stretches: [[Stretch]]

  init(_ later: Arrangement, sectionCount: Int) {
    stretches = Array(repeating: [], count: sectionCount)
    for index in later.sections.indices {
      for placed in later.placedRuns(ofSection: index) {
        guard case .old(let section) = placed.run.source else { continue }
        stretches[section].append(Stretch(items: placed.run.range, path: placed.path))
      }
    }
    for index in stretches.indices { stretches[index].sort { $0.items.lowerBound < $1.items.lowerBound } }
  }

  /// Nil if the item was removed.
  func path(of middle: ItemPath) -> ItemPath? {
    let list = stretches[middle.section]
    var low = 0
    var high = list.count
    while low < high {
      let index = (low + high) / 2
      if list[index].items.lowerBound <= middle.item { low = index + 1 } else { high = index }
    }
    guard low > 0, list[low - 1].items.contains(middle.item) else { return nil }
    let stretch = list[low - 1]
    return ItemPath(
      section: stretch.path.section, item: stretch.path.item + middle.item - stretch.items.lowerBound)
  }
}
