/// The parts of a change without its items, from which an arrangement is made.
///
/// Lots of fresh items are numbered: those of insertions first, then those of sections that come.
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
  /// Sections that come: each path names the section, `count` its own items.
  var sectionInsertions: [Lot] = []
  var moves: [ItemMove] = []
  var insertions: [Lot] = []

  /// The new sections, empty, in order; those that stay fill the places that no other takes.
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
