import Items
import Listing

/// What an update means, done the slow way: take out from the last to the first, put in from the first to the
/// last. Knows nothing of the code under test.
struct NaiveModel {
  private let old: [[Element]]

  init(_ old: [[Element]]) { self.old = old }

  private struct Section {
    var items: [Element?]
    /// Nil for one that comes.
    var number: Int?
    var isWhole = false
  }

  /// The new data; nil when the operations don't fit together or to the data.
  func applying(_ operations: [BatchOperation]) -> [[Element]]? {
    let edits = Edits(operations)
    guard edits.isConsistent else { return nil }
    var sections = old.enumerated().map { Section(items: $1, number: $0) }
    var fresh = 1000 + (old.joined().map(\.number).max() ?? 0)

    for path in edits.reloads {
      guard has(path), !edits.sources.contains(path), !edits.gone.contains(path.section) else { return nil }
      sections[path.section].items[path.item]!.form += 1
    }
    var carried: [ItemPath: Element] = [:]
    for (from, to) in edits.moves {
      guard has(from), !edits.gone.contains(from.section) else { return nil }
      carried[to] = sections[from.section].items[from.item]
    }
    for path in edits.sources.sorted(by: >) {
      guard has(path), !edits.gone.contains(path.section) else { return nil }
      sections[path.section].items.remove(at: path.item)
    }
    var moved: [Int: Section] = [:]
    for section in edits.reloadedSections where old.indices.contains(section) {
      sections[section].isWhole = true
    }
    for (from, to) in edits.sectionMoves where old.indices.contains(from) { moved[to] = sections[from] }
    for section in (edits.deletedSections + edits.sectionMoves.map(\.0) + edits.reloadedSections).sorted(
      by: >)
    {
      guard sections.indices.contains(section) else { return nil }
      if !edits.reloadedSections.contains(section) { sections.remove(at: section) }
    }
    for section in (edits.insertedSections + edits.sectionMoves.map(\.1)).sorted() {
      guard section <= sections.count else { return nil }
      sections.insert(moved[section] ?? Section(items: [], number: nil, isWhole: true), at: section)
    }
    for path in edits.targets.sorted() {
      guard sections.indices.contains(path.section), !sections[path.section].isWhole,
        path.item <= sections[path.section].items.count
      else { return nil }
      sections[path.section].items.insert(carried[path] ?? Element(number: fresh), at: path.item)
      fresh += 1
    }
    return sections.map { section in
      guard section.isWhole else { return section.items.compactMap(\.self) }
      defer { fresh += 3 }
      return (fresh..<fresh + fresh % 3).map { Element(number: $0) }
    }
  }

  private func has(_ path: ItemPath) -> Bool {
    old.indices.contains(path.section) && old[path.section].indices.contains(path.item)
  }
}

/// Operations by kind.
private struct Edits {
  var deletedSections: [Int] = []
  var insertedSections: [Int] = []
  var reloadedSections: [Int] = []
  var sectionMoves: [(Int, Int)] = []
  var sources: [ItemPath] = []
  var targets: [ItemPath] = []
  var reloads: [ItemPath] = []
  var moves: [(ItemPath, ItemPath)] = []

  /// Sections whose items go with them.
  var gone: [Int] { deletedSections + reloadedSections }

  /// No place is named twice.
  var isConsistent: Bool {
    let sections = [gone + sectionMoves.map(\.0), insertedSections + sectionMoves.map(\.1)]
    return sections.allSatisfy { Set($0).count == $0.count }
      && [sources, targets, reloads].allSatisfy { Set($0).count == $0.count }
  }

  init(_ operations: [BatchOperation]) {
    for operation in operations {
      switch operation {
      case .insertItems(let paths): targets += paths
      case .deleteItems(let paths): sources += paths
      case .reloadItems(let paths): reloads += paths
      case .moveItem(let from, let to):
        sources.append(from)
        targets.append(to)
        moves.append((from, to))
      case .insertSections(let sections): insertedSections += sections
      case .deleteSections(let sections): deletedSections += sections
      case .reloadSections(let sections): reloadedSections += sections
      case .moveSection(let from, let to): sectionMoves.append((from, to))
      case .reloadData: break
      }
    }
  }
}
