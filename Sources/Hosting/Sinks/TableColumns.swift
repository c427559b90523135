import Items
import JSON

/// The columns of a table, found by the names that SQLite knows them by, and by the members of the items that they are for.
///
/// Names that differ only in case are one for SQLite, and members are not: which member a column is for is remembered as `text`.
struct TableColumns: RandomAccessCollection {
  /// One of them.
  struct Column {
    let name: String
    var type: SinkColumnType
    /// What rows have in it that were there before it, as SQL.
    var standard: String?
    /// Whether it is as ours are declared; others belong to their owners.
    var isOwn = true
    /// Whether it only counts the rows, as items without ids have them.
    var isCounter = false
    /// The member that it is for; nil if that is not known, or there is none.
    var member: String?
  }

  private var columns: [Column] = []
  /// Places by bytes: texts of Swift are equal where Unicode writes the same in two ways.
  private var names: [[UInt8]: Int] = [:]
  private var members: [[UInt8]: Int] = [:]
  /// Whether some are for other members than is remembered.
  private(set) var hasNews = false

  var startIndex: Int { 0 }
  var endIndex: Int { columns.count }

  subscript(place: Int) -> Column { columns[place] }

  mutating func append(_ column: Column) {
    names[TableColumns.key(column.name)] = columns.count
    columns.append(column)
  }

  /// The place of the one that SQLite finds by a name.
  func place(named name: String) -> Int? { names[TableColumns.key(name)] }

  /// The place of the one that is for a member.
  func place(for member: String) -> Int? { members[Array(member.utf8)] }

  /// Has a column be for a member, or for none.
  mutating func give(_ place: Int, to member: String?) {
    let (old, new) = (columns[place].member.map { Array($0.utf8) }, member.map { Array($0.utf8) })
    guard old != new else { return }
    if let old { members[old] = nil }
    if let new, let other = members.updateValue(place, forKey: new) { columns[other].member = nil }
    columns[place].member = member
    hasNews = true
  }

  /// Has one take values of any type, and ids.
  mutating func loosen(_ place: Int) { (columns[place].type, columns[place].isCounter) = (.any, false) }

  /// One only counts the rows.
  mutating func setCounter(_ place: Int) { columns[place].isCounter = true }

  /// One belongs to somebody else.
  mutating func disown(_ place: Int) { (columns[place].type, columns[place].isOwn) = (.any, false) }

  private static func key(_ name: String) -> [UInt8] { name.utf8.map(\.asciiLowercased) }
}

/// What is remembered of them.
extension TableColumns {
  /// Those that are for members, as JSON.
  var text: String {
    var writer = JSONWriter()
    writer.object {
      $0.key("columns")
      $0.array { list in
        for column in columns {
          guard let member = column.member else { continue }
          list.object {
            $0.member("name", column.name)
            $0.member("member", member)
          }
        }
      }
    }
    return writer.bytes().string
  }

  /// Takes over what `text` gave, as far as there are such columns; false if it is damaged.
  mutating func recall(_ text: String) -> Bool {
    guard let tree = try? JSONTree(text), case .list(let list)? = tree["columns"] else { return false }
    for entry in list {
      guard let name = entry["name"]?.text else { return false }
      guard let member = entry["member"]?.text, let place = place(named: name),
        name.utf8.elementsEqual(columns[place].name.utf8)
      else { continue }
      give(place, to: member)
    }
    hasNews = false
    return true
  }

  /// All of it is remembered.
  mutating func hasKept() { hasNews = false }
}
