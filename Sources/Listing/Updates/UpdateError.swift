public import Items

/// Why a batch update is invalid, with the evidence: the first fault, in Texture's order.
public struct UpdateError: Error, Sendable, Hashable {
  /// The kind of fault.
  public enum Code: String, Sendable, CaseIterable {
    /// The new section count is not the old one plus inserted minus deleted.
    case invalidSectionCount
    /// A section to delete, reload or move does not exist.
    case deleteSectionOutOfBounds
    /// An item to delete, reload or move is in a section that does not exist.
    case deleteItemSectionOutOfBounds
    /// An item to delete, reload or move does not exist.
    case deleteItemOutOfBounds
    /// An item is inserted into a section that does not exist.
    case insertItemSectionOutOfBounds
    /// An item is inserted past the end of its section.
    case insertItemOutOfBounds
    /// A section is inserted past the end.
    case insertSectionOutOfBounds
    /// An item is both reloaded and deleted or moved.
    case deleteAndReloadSameItem
    /// The new item count of a section is not the old one plus inserted minus deleted.
    case invalidItemCount
    /// A section is both reloaded and deleted or moved.
    case reloadAndDeleteSameSection
    /// An operation is empty, or names only items that are deleted anyway.
    case emptyChange
    /// All data is reloaded twice.
    case reloadDataTwice
    /// An operation was submitted after the batch was complete.
    case changeSetClosed
    /// An `end` without a `begin`, or a batch completed before its end.
    case unbalancedEnd
    /// A place is used twice: by two operations of a kind, or as source or target by two kinds.
    case duplicatePath
    /// An index or a count is negative or too large for any list.
    case invalidIndex
  }

  /// The kind of fault.
  public var code: Code
  /// The section concerned; an old index, except for insertions.
  public var section: Int?
  /// The item concerned; an old place, except for insertions.
  public var path: ItemPath?
  /// Sections, or items of the section, before the change.
  public var old: Int?
  /// Sections, or items of the section, after the change.
  public var new: Int?
  /// Number inserted, including reloaded sections and moves.
  public var inserted: Int?
  /// Number deleted, including reloaded sections and moves.
  public var deleted: Int?
  /// The submitted operations, in order.
  public var operations: [BatchOperation] = []

  public init(_ code: Code) { self.code = code }

  init(_ code: Code, section: Int, old: Int? = nil, new: Int? = nil) {
    self.code = code
    self.section = section
    self.old = old
    self.new = new
  }

  init(_ code: Code, path: ItemPath, old: Int? = nil, new: Int? = nil) {
    self.init(code, section: path.section, old: old, new: new)
    self.path = path
  }

  /// Throws if a change made for some item counts meets others.
  public static func check(_ expected: [Int], against counts: [Int]) throws(UpdateError) {
    guard expected.count == counts.count else {
      var error = UpdateError(.invalidSectionCount)
      (error.old, error.new) = (expected.count, counts.count)
      throw error
    }
    for (section, count) in counts.enumerated() where count != expected[section] {
      throw UpdateError(.invalidItemCount, section: section, old: expected[section], new: count)
    }
  }
}
