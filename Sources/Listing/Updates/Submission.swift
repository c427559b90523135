import Items

/// The operations of a batch by kind, each in submission order.
struct Submission {
  var sectionDeletions: [SectionPlace] = []
  var sectionInsertions: [SectionPlace] = []
  var sectionReloads: [SectionPlace] = []
  var sectionMoves: [SectionMove] = []
  var deletions: [ItemPlace] = []
  var insertions: [ItemPlace] = []
  /// One list per call.
  var reloads: [[ItemPlace]] = []
  var moves: [ItemMove] = []

  init(_ batch: BatchUpdate) {
    for (operation, animation) in zip(batch.operations, batch.animations) {
      add(operation, animation, batch.moveStyle)
    }
  }

  /// The same without reloads: their new places are not known yet.
  var parts: PathChanges.Parts {
    PathChanges.Parts(
      sectionDeletions: sectionDeletions, sectionInsertions: sectionInsertions, sectionMoves: sectionMoves,
      deletions: deletions, insertions: insertions, moves: moves)
  }

  private mutating func add(_ operation: BatchOperation, _ animation: Int, _ style: MoveStyle) {
    func places<Path>(_ paths: [Path]) -> [Place<Path>] { paths.map { Place($0, animation: animation) } }
    switch (operation, style) {
    case (.insertItems(let paths), _): insertions += places(paths)
    case (.deleteItems(let paths), _): deletions += places(paths)
    case (.reloadItems(let paths), _): reloads.append(places(paths))
    case (.moveItem(let from, let to), .real):
      moves.append(ItemMove(from: from, to: to, animation: animation))
    case (.moveItem(let from, let to), .split):
      deletions += places([from])
      insertions += places([to])
    case (.insertSections(let sections), _): sectionInsertions += places(sections)
    case (.deleteSections(let sections), _): sectionDeletions += places(sections)
    case (.reloadSections(let sections), _): sectionReloads += places(sections)
    case (.moveSection(let from, let to), .real):
      sectionMoves.append(SectionMove(from: from, to: to, animation: animation))
    case (.moveSection(let from, let to), .split):
      sectionDeletions += places([from])
      sectionInsertions += places([to])
    case (.reloadData, _): break
    }
  }

  /// A moved item is neither deleted nor moved twice, and its target is used only once.
  func checkMoves() throws(UpdateError) {
    if !sectionMoves.isEmpty {
      try Submission.check(sectionMoves.map(\.from), apartFrom: sectionDeletions.map(\.section)) {
        UpdateError(.duplicatePath, section: $0)
      }
      try Submission.check(sectionMoves.map(\.to), apartFrom: sectionInsertions.map(\.section)) {
        UpdateError(.duplicatePath, section: $0)
      }
    }
    if !moves.isEmpty {
      try Submission.check(moves.map(\.from), apartFrom: deletions.map(\.path)) {
        UpdateError(.duplicatePath, path: $0)
      }
      try Submission.check(moves.map(\.to), apartFrom: insertions.map(\.path)) {
        UpdateError(.duplicatePath, path: $0)
      }
    }
  }

  /// No place is used twice by operations of one kind.
  func checkDuplicates() throws(UpdateError) {
    for sections in [sectionDeletions, sectionInsertions, sectionReloads] {
      try Submission.check(sections.map(\.section)) { UpdateError(.duplicatePath, section: $0) }
    }
    for places in [deletions, insertions, reloads.flatMap(\.self)] {
      try Submission.check(places.map(\.path)) { UpdateError(.duplicatePath, path: $0) }
    }
  }

  private static func check<Place: Hashable>(
    _ places: [Place], apartFrom others: [Place] = [], _ fault: (Place) -> UpdateError
  ) throws(UpdateError) {
    guard places.count > 1 || !others.isEmpty else { return }
    var seen = Set(others)
    for place in places where !seen.insert(place).inserted { throw fault(place) }
  }
}
