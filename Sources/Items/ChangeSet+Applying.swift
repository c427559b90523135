extension ChangeSet {
  /// Applies the change to sections of items; on failure they are left as they were.
  public func apply(to sections: inout [[Item]]) throws(ChangeSetMismatch) {
    var result = isReload ? [[]] : sections
    for removal in removals.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      try removal.check(result)
      result[removal.section].removeSubrange(removal.range)
    }
    for insertion in insertions.sorted(by: { $0.path < $1.path }) {
      if result.isEmpty { result = [[]] }
      let path = insertion.path
      guard result.indices.contains(path.section), 0...result[path.section].count ~= path.item else {
        throw ChangeSetMismatch(part: .insertion, path: path, counts: result.map(\.count))
      }
      result[path.section].insert(contentsOf: insertion.items, at: path.item)
    }
    for update in updates {
      let path = update.path
      guard result.indices.contains(path.section), result[path.section].indices.contains(path.item) else {
        throw ChangeSetMismatch(part: .update, path: path, counts: result.map(\.count))
      }
      result[path.section][path.item] = update.item
    }
    sections = result
  }
}

extension ChangeSet.Removal {
  func check(_ sections: [[Item]]) throws(ChangeSetMismatch) {
    let isInside =
      sections.indices.contains(section) && range.lowerBound >= 0
      && range.upperBound <= sections[section].count
    guard isInside else {
      throw ChangeSetMismatch(
        part: .removal, path: ItemPath(section: section, item: range.upperBound - 1),
        counts: sections.map(\.count))
    }
  }
}

/// A change set that does not fit what it was applied to, with the evidence.
public struct ChangeSetMismatch: Error, Sendable, Hashable {
  /// Which part of a change set it was.
  public enum Part: String, Sendable {
    /// A run to remove is not there.
    case removal
    /// A place to insert at is past the end.
    case insertion
    /// An item to update is not there.
    case update
  }

  /// What did not fit.
  public let part: Part
  /// The place that is not there.
  public let path: ItemPath
  /// Items per section at that moment.
  public let counts: [Int]

  public init(part: Part, path: ItemPath, counts: [Int]) {
    self.part = part
    self.path = path
    self.counts = counts
  }
}
