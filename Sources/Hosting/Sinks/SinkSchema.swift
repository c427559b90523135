/// The columns of a stream's table, and which member of the items goes where.
struct SinkSchema {
  struct Column: Equatable {
    let name: String
    var type: SinkColumnType
  }

  /// What an item needs before it can be written.
  enum Change {
    /// A column for a member that was not seen before.
    case addMember(String, SinkColumnType?)
    /// No type for the column, because it is to hold values of several.
    case loosen(column: Int)
    /// A column of its own for the member that is called as our key is, but is not the id; the rows that there are get
    /// what is in the key, where that came from such members.
    case keepKeyApart(copying: Bool)
  }

  let table: String
  /// The column of the items' ids.
  var primaryKey = SinkSchema.ownKey
  var columns: [Column] = []
  /// Whether the table is in the database.
  var exists = false
  /// Whether the table is as this type makes tables, so that it may be made anew; other tables are their owners'.
  var isOwn = true
  /// The members seen so far, and the column of each.
  private(set) var members = SinkColumns()
  private(set) var columnOfMember: [Int] = []
  /// The place of the member that is the id, once it was seen.
  private(set) var idMember: Int?
  /// Whether the member that is called as our key has another column.
  var isKeyApart = false

  /// The primary key where the id is in no member.
  static let ownKey = "_id"

  init(table: String) { self.table = table }

  /// The statement that writes an item: a parameter for each member, and one for the id when no member holds it.
  var upsert: String {
    var names = columnOfMember.map { columns[$0].name.asIdentifier }
    if idMember == nil { names.append(primaryKey.asIdentifier) }
    let values = names.map { _ in "?" }.joined(separator: ", ")
    let updates = names.filter { $0 != primaryKey.asIdentifier }.map { "\($0) = excluded.\($0)" }
    let action = updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    return """
      INSERT INTO \(table.asIdentifier) (\(names.joined(separator: ", "))) VALUES (\(values)) \
      ON CONFLICT (\(primaryKey.asIdentifier)) DO \(action)
      """
  }

  /// The statement that removes the row of an id, its only parameter.
  var removal: String { "DELETE FROM \(table.asIdentifier) WHERE \(primaryKey.asIdentifier) = ?" }

  /// The parameter of the id, counted from 1.
  var idParameter: Int { idMember.map { $0 + 1 } ?? members.count + 1 }

  /// The type of the column of a member.
  func type(ofMember place: Int) -> SinkColumnType { columns[columnOfMember[place]].type }

  /// The primary key's column and its type, when the table exists.
  var keyColumn: Int { columns.firstIndex { $0.name == primaryKey }! }
  var keyType: SinkColumnType { columns[keyColumn].type }

  /// The statement that makes the table.
  func creation(as name: String) -> String {
    let declarations = columns.map { column in
      let type = column.type == .any ? "" : " \(column.type.rawValue)"
      return column.name.asIdentifier + type + (column.name == primaryKey ? " PRIMARY KEY" : "")
    }
    return "CREATE TABLE \(name.asIdentifier) (\(declarations.joined(separator: ", ")))"
  }

  /// Sends a member to a column.
  mutating func assign(_ member: String, toColumn column: Int) {
    let place = members.append(member)
    columnOfMember.append(column)
    if columns[column].name == primaryKey { idMember = place }
  }

  /// Sends the member that was the id to a column of its own; the id is no member from here on.
  mutating func moveKeyMember(toColumn column: Int) {
    guard let idMember else { return }
    columnOfMember[idMember] = column
    self.idMember = nil
  }

  /// The column that is there for a member, or else the name of a new one: the member's, with a number where SQLite
  /// would take it for that of another member. Other people's columns may be written in other letters than the member.
  func column(for member: String) -> (index: Int?, name: String) {
    let name = member.replacing("\0", with: "\u{FFFD}")
    var candidate = name
    var number = 2
    while let index = columns.firstIndex(where: { $0.name.isSameIdentifier(as: candidate) }) {
      let isTaken = !isFree(index) || isKeyApart && columns[index].name == primaryKey
      if !isTaken && (columns[index].name == candidate || !isOwn) { return (index, candidate) }
      candidate = "\(name)_\(number)"
      number += 1
    }
    return (nil, candidate)
  }

  private func isFree(_ column: Int) -> Bool { !columnOfMember.contains(column) }
}

extension String {
  /// The name in quotes, for SQL.
  var asIdentifier: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// Whether SQLite takes both for one name: it does not see the case of ASCII letters.
  func isSameIdentifier(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self + 32 : self
  }
}
