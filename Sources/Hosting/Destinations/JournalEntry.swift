/// Changes of one table that follow each other, or something else to do.
final class JournalEntry {
  let table: DestinationTable?
  private(set) var changes: [TableChange] = []
  private let action: (() throws -> Void)?

  init(_ table: DestinationTable, _ change: TableChange) {
    self.table = table
    changes = [change]
    action = nil
  }

  init(_ action: @escaping () throws -> Void) {
    self.action = action
    table = nil
  }

  func append(_ change: TableChange) { changes.append(change) }

  /// Keeps the first ones.
  func cut(_ count: Int) { changes.removeSubrange(count...) }

  func execute() throws {
    try action?()
    try table?.execute(changes)
  }
}
