import Items
import Paging

/// Where the rows of each table come from, in one run. Rows of items without ids are only counted: those of another origin would
/// take their places.
struct RowOrigins {
  enum Origin: String {
    /// Items with ids.
    case ids
    /// Items of a source that have none, or that are all kept.
    case readings
    /// Items without ids that the script emits itself, outside of steps.
    case script
    /// Items without ids that the script emits in steps.
    case steps
  }

  /// Whether the run is a share of one.
  let isShare: Bool
  /// By lower-case name, as databases distinguish tables.
  private var known: [String: Origin] = [:]

  init(isShare: Bool) { self.isShare = isShare }

  /// Whether these are the first items of a table; fails if those before came from elsewhere.
  func isNew(_ origin: Origin, in table: String, _ item: Item) throws(HostFailure) -> Bool {
    if isShare, origin == .script || origin == .steps { throw RowOrigins.ofEachShare(table, item) }
    guard let before = known[table.lowercased()] else { return true }
    guard before != origin else { return false }
    throw RowOrigins.mixing(before, origin, table, item)
  }

  /// Whether the table has got items.
  func areKnown(in table: String) -> Bool { known[table.lowercased()] != nil }

  mutating func note(_ origin: Origin, in table: String) { known[table.lowercased()] = origin }

  /// The error for an item of another origin than the rows that are there.
  static func mixing(_ before: Origin, _ origin: Origin, _ table: String, _ item: Item) -> HostFailure {
    HostFailure(
      .invalid,
      "the table \(table.escapingControls) has rows of \(words(before)), and now gets \(words(origin)) (\(excerpt(item))): rows "
        + "that are only counted can't be told from others, and would take their places: give each item an id (id = …), or "
        + "those without one a stream of their own (lookahead.emit(item, \"NAME\"), or name = \"…\" of the source)"
    )
  }

  /// The error for items that would come again.
  static func again(_ origin: Origin, _ table: String, _ item: Item) -> HostFailure {
    HostFailure(
      .invalid,
      "the table \(table.escapingControls) has rows already, and \(words(origin)) (\(excerpt(item))) can't be told from them: give "
        + "each item an id (id = …), keep state from the first run on (without --no-state), or write another file"
    )
  }

  /// The error for items that each share of a run would write in the place of those of the others.
  static func ofEachShare(_ table: String, _ item: Item) -> HostFailure {
    HostFailure(
      .invalid,
      "the table \(table.escapingControls) gets items without ids that the script emits itself (\(excerpt(item))), which a share (--shard) would "
        + "write in the place of those of the others: give each item an id (id = …), or leave --shard"
    )
  }

  private static func words(_ origin: Origin) -> String {
    switch origin {
    case .ids: "items with ids"
    case .readings: "items of a source that are only counted"
    case .script: "items without ids"
    case .steps: "items without ids of steps"
    }
  }

  private static func excerpt(_ item: Item) -> String {
    let text = item.bytes.string
    return (text.count > 60 ? text.prefix(60) + "…" : text).escapingControls
  }
}
