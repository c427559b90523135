import CADBC

/// Rows that are given to a driver, which frees them.
struct BuiltRows {
  let array: ArrowArray
  let schema: ArrowSchema

  /// Takes the values of the columns.
  init(_ columns: [ColumnBuilder], count: Int) {
    let parts = columns.map { $0.release() }
    array = ArrowArray(rows: count, columns: parts.map(\.0))
    schema = ArrowSchema(columns: parts.map(\.1))
  }
}

extension BuiltRows {
  /// Gives the rows to the driver.
  func copy(over connection: ADBCConnection, into target: ADBCTarget) throws(ADBCError) {
    var (array, schema) = (array, schema)
    defer {
      // Whoever took them has cleared this.
      array.release?(&array)
      schema.release?(&schema)
    }
    let statement = try ADBCStatement(connection, options: target.options)
    try statement.bind(&array, &schema)
    try statement.execute()
  }

  /// Frees rows that nobody takes.
  func free() {
    var (array, schema) = (array, schema)
    array.release?(&array)
    schema.release?(&schema)
  }
}
