/// The parts of a change without its items, from which an arrangement is made.
///
/// Lots of fresh items are numbered: those of insertions first, then those of inserted sections.
struct Blueprint {
  struct Lot {
    var path: ItemPath
    var count: Int
    var animation = 0
  }

  /// Items per old section.
  var counts: [Int]
  var removals: [ChangeSet.Removal] = []
  var sectionRemovals: [SectionPlace] = []
  var sectionMoves: [SectionMove] = []
  /// Inserted sections: each path names the section, `count` is the number of its own items.
  var sectionInsertions: [Lot] = []
  var moves: [ItemMove] = []
  var insertions: [Lot] = []

  /// The new sections, empty, in order; those that stay fill the indices left free.
  func layOutSections() throws(ChangeSetMismatch) -> [Arrangement.Section] {
    var isTaken = Array(repeating: false, count: counts.count)
    for section in sectionRemovals.map(\.section) + sectionMoves.map(\.from) {
      guard counts.indices.contains(section), !isTaken[section] else {
        throw mismatch(.sectionRemoval, section)
      }
      isTaken[section] = true
    }
    let count = counts.count - sectionRemovals.count + sectionInsertions.count
    var result: [Arrangement.Section?] = Array(repeating: nil, count: count)
    for lot in sectionInsertions {
      try place(Arrangement.Section(animation: lot.animation), at: lot.path.section, in: &result)
    }
    for move in sectionMoves {
      try place(Arrangement.Section(origin: move.from, animation: move.animation), at: move.to, in: &result)
    }
    var staying = counts.indices.lazy.filter { !isTaken[$0] }.makeIterator()
    return result.map { $0 ?? Arrangement.Section(origin: staying.next()) }
  }

  private func place(
    _ section: Arrangement.Section, at index: Int, in result: inout [Arrangement.Section?]
  ) throws(ChangeSetMismatch) {
    guard result.indices.contains(index), result[index] == nil else {
      throw mismatch(.sectionInsertion, index)
    }
    result[index] = section
  }

  private func mismatch(_ part: ChangeSetMismatch.Part, _ section: Int) -> ChangeSetMismatch {
    ChangeSetMismatch(part: part, path: ItemPath(section: section, item: 0), counts: counts)
  }
}

extension Arrangement {
  /// Puts every part in place, or throws what does not fit.
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

/// Old items removed from their place.
private struct Gap {
  var range: Range<Int>
  var part: ChangeSetMismatch.Part

  /// For every old section, ascending and disjoint.
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

/// Items inserted at a place.
private struct Filler {
  var start: Int
  var run: Arrangement.Run

  /// For every new section that has any, ascending.
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
      let isReached = filler.start >= position && rest.read(filler.start - position, into: &result)
      guard isReached else {
        let path = ItemPath(section: section, item: filler.start)
        throw ChangeSetMismatch(part: .insertion, path: path, counts: counts)
      }
      result.extend(by: filler.run)
      position = filler.start + filler.run.range.count
    }
    rest.readAll(into: &result)
    return result
  }
}

/// Reads runs from front to back, in pieces of any length.
struct RunReader {
  private let runs: [Arrangement.Run]
  private var index = 0
  private var offset = 0

  init(_ runs: [Arrangement.Run]) { self.runs = runs }

  /// Moves the next `count` items to the result; false if fewer are left.
  mutating func read(_ count: Int, into result: inout [Arrangement.Run]) -> Bool {
    var wanted = count
    while wanted > 0 {
      guard index < runs.count else { return false }
      let run = runs[index]
      let length = min(wanted, run.range.count - offset)
      result.extend(by: run[offset..<offset + length])
      wanted -= length
      offset += length
      if offset == run.range.count {
        index += 1
        offset = 0
      }
    }
    return true
  }

  /// Moves all remaining items to the result.
  mutating func readAll(into result: inout [Arrangement.Run]) {
    while index < runs.count {
      let run = runs[index]
      result.extend(by: run[offset..<run.range.count])
      index += 1
      offset = 0
    }
  }
}
