public import Items

/// Why a batch update can't be, with the evidence; the first fault found, in Texture's order.
public struct UpdateError: Error, Sendable, Hashable {
  /// The class of a fault.
  public enum Code: String, Sendable, CaseIterable {
    /// The new section count is not the old one plus inserted minus deleted.
    case invalidSectionCount
    /// A section to delete, reload or move is not there.
    case deleteSectionOutOfBounds
    /// An item to delete, reload or move is in a section that is not there.
    case deleteItemSectionOutOfBounds
    /// An item to delete, reload or move is not there.
    case deleteItemOutOfBounds
    /// An item is inserted into a section that does not exist.
    case insertItemSectionOutOfBounds
    /// An item is inserted past the end of its section.
    case insertItemOutOfBounds
    /// A section is inserted past the end.
    case insertSectionOutOfBounds
    /// An item is to be deleted, or to move, and to be reloaded.
    case deleteAndReloadSameItem
    /// The new item count of a section is not the old one plus inserted minus deleted.
    case invalidItemCount
    /// A section is to be deleted, or to move, and to be reloaded.
    case reloadAndDeleteSameSection
    /// An operation names nothing, or only items that are deleted anyway.
    case emptyChange
    /// All data is to be reloaded, twice.
    case reloadDataTwice
    /// An operation came after the batch was complete.
    case changeSetClosed
    /// An end without a beginning, or a batch that is complete before its end.
    case unbalancedEnd
    /// A place is named twice: by two operations of a kind, or as the source (the target) of two kinds.
    case duplicatePath
    /// An index or a count is negative or too large for any list.
    case invalidIndex
  }

  /// The class of the fault.
  public var code: Code
  /// The section it is about; an old one, but for what comes.
  public var section: Int?
  /// The item it is about; an old place, but for what comes.
  public var path: ItemPath?
  /// Sections, or items of the section, before the change.
  public var old: Int?
  /// Sections, or items of the section, after the change.
  public var new: Int?
  /// How many come, reloaded sections and moves included.
  public var inserted: Int?
  /// How many go, reloaded sections and moves included.
  public var deleted: Int?
  /// What was submitted, in order.
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

  /// Throws when a change that was made for some counts of items per section meets others.
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
