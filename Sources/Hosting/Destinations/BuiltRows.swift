import CADBC

/// Rows that are given to a driver, which frees them: they are used by one thread, then by another.
struct BuiltRows: @unchecked Sendable {
  /// A column of them.
  struct Field: Equatable {
    let name: String
    /// What its values are, as Arrow says it.
    let format: String
    let isJSON: Bool
  }

  let array: ArrowArray
  let fields: [Field]

  /// Takes the values of the columns.
  init(_ columns: [ColumnBuilder], count: Int) {
    fields = columns.map { BuiltRows.Field(name: $0.name, format: $0.format, isJSON: $0.isJSON) }
    array = ArrowArray(rows: count, columns: columns.map { $0.release() })
  }

  /// Takes columns over that were built already.
  init(_ fields: [Field], _ columns: [ArrowArray], count: Int) {
    self.fields = fields
    array = ArrowArray(rows: count, columns: columns)
  }

  /// Takes rows over that have these columns.
  init(_ fields: [Field], _ array: ArrowArray) { (self.fields, self.array) = (fields, array) }

  /// A schema of such rows.
  static func schema(_ fields: [Field]) -> ArrowSchema {
    ArrowSchema(columns: fields.map { ArrowSchema(format: $0.format, name: $0.name, isJSON: $0.isJSON) })
  }
}

extension BuiltRows {
  /// Gives the rows to the driver.
  func copy(over connection: ADBCConnection, into target: ADBCTarget) throws(ADBCError) {
    var (array, schema) = (array, BuiltRows.schema(fields))
    defer {
      // Whoever took them has cleared this.
      array.release?(&array)
      schema.release?(&schema)
    }
    let statement = try ADBCStatement(connection, options: target.options)
    try statement.bind(&array, &schema)
    try statement.execute()
  }

  /// Frees them if what comes first fails, as nobody gets them then.
  func freeing(_ body: () throws -> Void) throws {
    do { try body() } catch {
      free()
      throw error
    }
  }

  /// Frees rows that nobody takes.
  func free() { array.discard() }
}
