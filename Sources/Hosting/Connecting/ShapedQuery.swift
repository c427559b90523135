import CADBC

/// A query of PostgreSQL that has the shapes of its arrays besides: its driver passes on an array of several dimensions as a flat
/// one, and does not tell that it was.
struct ShapedQuery {
  /// The query, and behind its columns one for each column of arrays: the array's bounds, or null where it has one dimension.
  let sql: String
  /// The numbers of the columns of arrays, in the order of their bounds.
  let arrays: [Int]

  /// A query around this one, which has these columns; nil where none of them has arrays.
  init?(_ text: SQLText, _ fields: ArrowFields) throws(ArrowColumnProblem) {
    arrays = try ShapedQuery.arrays(of: fields)
    guard let first = arrays.first else { return nil }
    let names = fields.names
    guard text.isQuery, text.statements.count == 1 else {
      throw ArrowColumnProblem(column: names[first], problem: .shapeless)
    }
    let columns = names.enumerated().map { "c\($0.offset) AS \($0.element.asIdentifier)" }
    let bounds = arrays.map { "CASE WHEN array_ndims(c\($0)) > 1 THEN array_dims(c\($0)) END" }
    let own = names.indices.map { "c\($0)" }.joined(separator: ", ")
    sql =
      "SELECT \((columns + bounds).joined(separator: ", ")) FROM (\n\(text.statements[0])\n) AS q (\(own))"
  }

  /// The numbers of columns of arrays; fails for columns that have arrays further within, or rows: behind the first row that is
  /// null, the driver passes on all as null.
  static func arrays(of fields: ArrowFields) throws(ArrowColumnProblem) -> [Int] {
    let schema = fields.schema
    var arrays: [Int] = []
    for number in 0..<Int(schema.n_children) {
      let field = schema.children[number]!.pointee
      let isArray = has("+l", field)
      guard !holds("+s", field) else { throw ArrowColumnProblem(column: field.text, problem: .rows) }
      guard !holds("+l", isArray ? field.children[0]!.pointee : field) else {
        throw ArrowColumnProblem(column: field.text, problem: .shapeless)
      }
      if isArray { arrays.append(number) }
    }
    return arrays
  }

  private static func has(_ format: String, _ schema: ArrowSchema) -> Bool {
    schema.format.map { String(cString: $0).hasPrefix(format) } ?? false
  }

  private static func holds(_ format: String, _ schema: ArrowSchema) -> Bool {
    has(format, schema)
      || (0..<Int(schema.n_children)).contains { holds(format, schema.children[$0]!.pointee) }
  }
}
