import Items
import Paging

/// What one kind of database says in its own way. A new one is a new dialect.
protocol Dialect: Sendable {
  /// What people call it.
  var name: String { get }
  /// Columns that a table may have.
  var mostColumns: Int { get }
  /// Bytes that a name may have.
  var longestName: Int { get }
  /// Whether tables whose names differ only in case are one.
  var ignoresCase: Bool { get }
  /// Whether texts may have the character U+0000 in them.
  var keepsNull: Bool { get }
  /// Whether rows can be copied right into a table that is there.
  var takesRows: Bool { get }
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

  /// How values of a column are built whose type somebody else has chosen, by the database's name of it.
  func type(ofDeclared name: String) -> ColumnType

  /// A query with a row if rows can't be found by the values of a column, each at most once.
  func doubt(of key: String, in table: String, schema: String) -> String

  /// What to do then.
  func way(toFindBy key: String, in table: String, schema: String) -> String

  /// A query with a row if a column of texts takes different ones for the same; nil where there are no such columns.
  func folds(_ key: String, in table: String, schema: String) -> String?

  /// The condition for values that are no values of a column's type, or of which it would lose something: where a statement can be
  /// undone, for those that can be cast.
  func misfit(_ column: String, as type: ColumnType, declared: String?) -> String?

  /// Whether the database's own name of a column's type is that.
  func isDeclared(_ declared: String, as type: ColumnType) -> Bool

  /// The query for the names and types of a table's columns, in order.
  func columns(of table: String, schema: String) -> String

  /// The statements that give a column another type, with its values.
  func widening(_ column: String, of table: String, from old: ColumnType, to new: ColumnType) -> [String]

  /// Whether it makes texts of doubles that have all of their digits.
  var writesReals: Bool { get }

  /// Whether the database has columns of that name of its own in each table.
  func reserves(_ column: String) -> Bool

  /// The query for what something with columns is that is no table, as `view`; nil where there is nothing else.
  func kind(of table: String, schema: String) -> String?

  /// The query for the columns that the database has rules for: the name, whether it is never NULL, whether it has a value where
  /// none is given, and how the database fills it itself, or ''.
  func rules(of table: String, schema: String) -> String?

  /// A query with a row if something may keep rows out of a table in silence.
  func watchers(of table: String, schema: String) -> String?

  /// The statement after which nobody can alter a table until the transaction ends; nil where nobody can while it is written.
  func holding(_ table: String) -> String?

  /// A query for a text that is another one once somebody has altered the columns of a table, or what may keep rows out of it; nil where
  /// nobody can.
  func digest(of table: String, schema: String) -> String?

  /// The query for a number that what others commit from now on is beyond; nil where there is none.
  var mark: String? { get }

  /// The condition for rows that were written since that was the mark.
  func isNewer(than mark: Int64) -> String?

  /// The value of a column among rows that were copied in, for one of that type, which may have a name of its own in the database.
  func value(_ column: String, as type: ColumnType, declared: String?) -> String

  /// Whether texts that are days or moments can make columns of these types.
  var recognizesTimes: Bool { get }

  /// Whether bytes are stored as they are, and not as a text of their digits.
  var hasBytes: Bool { get }

  /// Bytes as they are stored.
  func bytes(_ stored: UnsafeRawBufferPointer) -> Bytes

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
  /// The columns with the expressions for them, in which the rows are called `_lookahead_new`: no name of a table or column that
  /// somebody else has given, of which SQL would think first.
  let columns: [(name: String, value: String)]
  /// Whether none of the rows can be there.
  let isNew: Bool
  /// Whether the rows say something of all columns.
  let isWhole: Bool
  /// Whether the table's columns have just the types of the rows, by which rows that stay as they are can be told.
  let isComparable: Bool

  /// The expression for the id.
  var keyValue: String { columns.first { $0.name == key }?.value ?? "_lookahead_new.\(key)" }
  /// A query that has a row where one with the id of a row is there. The table has one column in it: a JSON column that somebody calls
  /// as the rows are called here would be nearer to some databases.
  var match: String {
    "SELECT 1 FROM (SELECT \(key) AS _lookahead_key FROM \(table)) AS _lookahead_old WHERE _lookahead_key = \(keyValue)"
  }
  /// The names of all columns, as a list.
  var names: String { columns.map(\.name).joined(separator: ", ") }
  /// Their expressions, as a list.
  var values: String { columns.map(\.value).joined(separator: ", ") }
}

extension Dialect {
  /// The name of a table with its schema, quoted.
  func table(_ name: String, in schema: String) -> String {
    schema.isEmpty ? name.asIdentifier : "\(schema.asIdentifier).\(name.asIdentifier)"
  }

  var recognizesTimes: Bool { true }

  var takesRows: Bool { true }

  var writesReals: Bool { true }

  func reserves(_ column: String) -> Bool { false }

  var mark: String? { nil }

  func isNewer(than mark: Int64) -> String? { nil }

  func kind(of table: String, schema: String) -> String? { nil }

  func rules(of table: String, schema: String) -> String? { nil }

  func watchers(of table: String, schema: String) -> String? { nil }

  func holding(_ table: String) -> String? { nil }

  func digest(of table: String, schema: String) -> String? { nil }

  func folds(_ key: String, in table: String, schema: String) -> String? { nil }

  var hasBytes: Bool { true }

  func storingAsIs(_ column: String, of table: String) -> String? { nil }

  func bytes(_ stored: UnsafeRawBufferPointer) -> Bytes { Bytes(copying: stored) }

  /// Fails where a table would have more columns than it may have.
  func check(columns count: Int, of table: String) throws {
    guard count > mostColumns else { return }
    throw HostFailure(
      .database,
      "the items of \(table.escapingControls) have more members than \(name) has columns for (\(mostColumns.grouped)): write NDJSON, "
        + "or nest them")
  }

  /// Fails where the name of a stream is too long for a table.
  func check(table name: String) throws {
    guard name.utf8.count > longestName else { return }
    throw HostFailure(
      .invalid,
      "\"\(name.escapingControls)\" names a stream, but is too long for a table of \(self.name) "
        + "(\(longestName) bytes): give its source another name")
  }

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

extension String {
  /// The digits of a type as `numeric(18,2)`; nil where it has none, or does not begin so.
  func precisionAndScale(of name: String) -> (precision: Int, scale: Int)? {
    guard hasPrefix(name + "("), hasSuffix(")") else { return nil }
    let numbers = dropFirst(name.count + 1).dropLast().split(separator: ",").map { Int($0) }
    guard let precision = numbers.first ?? nil, let scale = numbers.count > 1 ? numbers[1] : 0, scale >= 0
    else { return nil }
    return (precision, scale)
  }
}
