/// The operations of a batch by kind, each in the order of submitting.
struct Submission {
  var sectionDeletions: [SectionPlace] = []
  var sectionInsertions: [SectionPlace] = []
  var sectionReloads: [SectionPlace] = []
  var sectionMoves: [SectionMove] = []
  var deletions: [ItemPlace] = []
  var insertions: [ItemPlace] = []
  /// One list for each call.
  var reloads: [[ItemPlace]] = []
  var moves: [ItemMove] = []

  init(_ batch: BatchUpdate) {
    for (operation, animation) in zip(batch.operations, batch.animations) {
      add(operation, animation, batch.moveStyle)
    }
  }

  /// The same, without what is to be reloaded: its new places are not known yet.
  var parts: PathChanges.Parts {
    PathChanges.Parts(
      sectionDeletions: sectionDeletions, sectionInsertions: sectionInsertions, sectionMoves: sectionMoves,
      deletions: deletions, insertions: insertions, moves: moves)
  }

  private mutating func add(_ operation: BatchOperation, _ animation: Int, _ style: MoveStyle) {
    func places(_ paths: [ItemPath]) -> [ItemPlace] { paths.map { ItemPlace($0, animation: animation) } }
    func places(_ sections: [Int]) -> [SectionPlace] {
      sections.map { SectionPlace($0, animation: animation) }
    }
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
}
