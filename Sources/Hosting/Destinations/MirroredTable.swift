/// A table of what is remembered that is in a destination and in memory.
struct MirroredTable {
  let name: String
  let keys: [String]
  /// The columns, in order, and what they hold.
  let columns: [(name: String, kind: Kind)]

  enum Kind {
    case integer, text, bytes

    var type: ColumnType {
      switch self {
      case .integer: .integer
      case .text: .text
      case .bytes: .bytes
      }
    }
  }

  var hasBytes: Bool { columns.contains { $0.kind == .bytes } }

  func isText(_ column: String) -> Bool { columns.contains { $0.name == column && $0.kind == .text } }

  /// All of them; that of single values is the first.
  static let all = [
    MirroredTable(name: "_lookahead_state", keys: ["name"], columns: [("name", .text), ("value", .text)]),
    MirroredTable(
      name: "_lookahead_readings", keys: ["id"],
      columns: [
        ("id", .integer), ("stream", .text), ("partition", .text), ("number", .integer), ("state", .text),
        ("chain", .integer), ("position", .text), ("items", .integer), ("parts", .integer),
        ("bookmark", .text), ("newBookmark", .text), ("declaration", .text), ("script", .text),
        ("isFirst", .integer), ("lastRow", .integer), ("isNumbered", .integer), ("isAddedTo", .integer),
      ]),
    MirroredTable(
      name: "_lookahead_steps", keys: ["id"],
      columns: [("id", .integer), ("key", .text), ("workflow", .integer), ("result", .text)]),
    MirroredTable(
      name: "_lookahead_ids", keys: ["reading", "part"],
      columns: [("reading", .integer), ("part", .integer), ("ids", .bytes)]),
    MirroredTable(name: claims, keys: ["reading"], columns: [("reading", .integer), ("epoch", .integer)]),
  ]

  /// That of claims, which earlier versions did not have.
  static let claims = "_lookahead_claims"
}
