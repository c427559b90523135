import Items

/// What one kind of database says in its own way. A new one is a new dialect.
protocol Dialect: Sendable {
  /// What people call it.
  var name: String { get }
  /// Columns that a table may have.
  var mostColumns: Int { get }
  /// Bytes that a name may have.
  var longestName: Int { get }
  /// Whether texts may have the character U+0000 in them.
  var keepsNull: Bool { get }
  /// Whether rows can be copied right into a table whose key refuses what is there, within a savepoint.
  var refusesTwins: Bool { get }
  /// Whether a statement copies rows as they come. Otherwise it holds them until its end.
  var takesStreams: Bool { get }
  /// What begins a transaction.
  var begin: String { get }
  /// The schema of tables that only this connection sees.
  var temporary: String { get }
  /// What has a query lock the rows that it reads.
  var lock: String { get }
  /// The statements that a new connection begins with.
  var settings: [String] { get }

  /// The type of a column, as SQL has it.
  func declaration(of type: ColumnType) -> String

  /// Whether the database's own name of a column's type is that.
  func isDeclared(_ declared: String, as type: ColumnType) -> Bool

  /// The query for the names and types of a table's columns, in order.
  func columns(of table: String, schema: String) -> String

  /// The statement that gives a column another type, with its values.
  func widening(_ column: String, of table: String, from old: ColumnType, to new: ColumnType) -> String

  /// The value of a column among rows that were copied in, for one of that type.
  func value(_ column: String, as type: ColumnType) -> String

  /// The statement that has a column's bytes stored as they are, where the database would try to pack them.
  func storingAsIs(_ column: String, of table: String) -> String?

  /// Bytes, in SQL.
  func literal(_ bytes: Bytes) -> String

  /// The statements that move rows that were copied in into their table.
  func merge(_ merge: Merge) -> [String]
}

/// Rows that were copied into a table of their own, and where they are to go.
struct Merge {
  /// The table, quoted.
  let table: String
  /// That of the rows, quoted.
  let batch: String
  /// The column that has the id, quoted.
  let key: String
  /// The columns with the expressions for them, in which the rows are called `batch`.
  let columns: [(name: String, value: String)]
  /// Whether none of the rows can be there.
  let isNew: Bool

  /// The names of all columns, as a list.
  var names: String { columns.map(\.name).joined(separator: ", ") }
  /// Their expressions, as a list.
  var values: String { columns.map(\.value).joined(separator: ", ") }
}

extension Dialect {
  /// The name of a table with its schema, quoted.
  func table(_ name: String, in schema: String) -> String { "\(schema.asIdentifier).\(name.asIdentifier)" }

  /// A name that may be too long, cut so that so many bytes are left beside it.
  func shortened(_ name: String, leaving rest: Int = 0) -> String {
    var name = name
    while name.utf8.count > longestName - rest { name.removeLast() }
    return name
  }
}

extension Bytes {
  /// Two digits for each byte, after what a dialect has before them.
  func digits(each before: String = "") -> String {
    let (digits, before) = (Array("0123456789abcdef".utf8), Array(before.utf8))
    let size = count * (before.count + 2)
    return withUnsafeBytes { bytes in
      String(unsafeUninitializedCapacity: size) { room in
        var place = 0
        func put(_ byte: UInt8) {
          room[place] = byte
          place += 1
        }
        for byte in bytes {
          for byte in before { put(byte) }
          put(digits[Int(byte >> 4)])
          put(digits[Int(byte & 15)])
        }
        return size
      }
    }
  }
}
