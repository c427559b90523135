/// How an item becomes a row, beside its own members.
struct SinkRow {
  /// Whether SQLite counts the rows, because the items have no ids, or come again.
  var isNumbered = false
  /// Columns of our own.
  var extras: [(column: String, value: Int)] = []

  /// The part of the source that brought the row, where there are several.
  static let partColumn = "_partition"
  /// The number of the reading that brought it, where all readings are kept.
  static let readingColumn = "_reading"

  /// The primary key if no member is the id.
  static let ownKey = "_id"

  /// The part that brought it, where there are several.
  var part: Int? { extras.first { $0.column == SinkRow.partColumn }?.value }

  /// Whether both have the same columns of our own.
  func isLike(_ other: SinkRow) -> Bool { extras.elementsEqual(other.extras) { $0.column == $1.column } }

  /// Whether a column has nothing of the item.
  static func isOurs(_ column: String) -> Bool {
    [partColumn, readingColumn].contains { $0.isSameIdentifier(as: column) }
  }
}
