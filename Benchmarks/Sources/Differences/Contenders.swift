import Items

#if canImport(DifferenceKit)
  import DifferenceKit

  extension Row: Differentiable {
    var differenceIdentifier: ID { id }
    func isContentEqual(to other: Row) -> Bool { revision == other.revision }
  }
#endif

/// Whoever finds the difference of two lists.
enum Contender: String, CaseIterable {
  case ours, differenceKit = "DifferenceKit", standard = "stdlib"

  /// Whether it was built in.
  var isHere: Bool {
    #if canImport(DifferenceKit)
      true
    #else
      self != .differenceKit
    #endif
  }

  /// Finds the difference and throws it away; what is timed. Ours and DifferenceKit's compare revisions too.
  @inline(never)
  func compare<ID: Key>(_ old: [Row<ID>], _ new: [Row<ID>]) {
    switch self {
    case .ours: keep(ours(old, new))
    case .standard: keep(new.difference(from: old))
    case .differenceKit:
      #if canImport(DifferenceKit)
        keep(StagedChangeset(source: old, target: new))
      #endif
    }
  }

  /// What it finds, as edits of places.
  func edits<ID: Key>(_ old: [Row<ID>], _ new: [Row<ID>]) -> Edits {
    var edits = Edits()
    switch self {
    case .ours:
      let found = ours(old, new)
      edits.deletions = found.deletions
      edits.insertions = found.insertions
      edits.moves = found.moves.map { ($0.from, $0.to) }
    case .standard:
      for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): edits.deletions.append(offset)
        case .insert(let offset, _, _): edits.insertions.append(offset)
        }
      }
    case .differenceKit:
      #if canImport(DifferenceKit)
        let stages = StagedChangeset(source: old, target: new)
        edits.deletions = stages.flatMap { $0.elementDeleted.map(\.element) }
        edits.insertions = stages.flatMap { $0.elementInserted.map(\.element) }
        // Its moves begin at places in the list that the deletions leave.
        let gone = Set(edits.deletions)
        let left = old.indices.filter { !gone.contains($0) }
        edits.moves = stages.flatMap { $0.elementMoved.map { (left[$0.source.element], $0.target.element) } }
      #endif
    }
    return edits
  }

  private func ours<ID: Key>(_ old: [Row<ID>], _ new: [Row<ID>]) -> ListDifference {
    new.difference(from: old, id: { $0.id }, isContentEqual: { $0.revision == $1.revision })
  }

  @inline(never)
  private func keep<Result>(_ result: Result) {}
}

/// Edits of a list by places: old ones of what goes, new ones of what comes.
struct Edits {
  var deletions: [Int] = []
  var insertions: [Int] = []
  var moves: [(from: Int, to: Int)] = []

  /// Whether they turn one list into the other: what comes and moves is set, what stays fills the gaps.
  func turn<ID: Key>(_ old: [Row<ID>], into new: [Row<ID>]) -> Bool {
    var result: [Row<ID>?] = Array(repeating: nil, count: new.count)
    for place in insertions { result[place] = new[place] }
    for move in moves { result[move.to] = old[move.from] }
    let gone = Set(deletions + moves.map(\.from))
    var staying = old.indices.filter { !gone.contains($0) }.makeIterator()
    for place in result.indices where result[place] == nil { result[place] = staying.next().map { old[$0] } }
    return staying.next() == nil && result == new.map(Optional.some)
  }
}
