import Glibc

/// Writes rows to a Parquet file as they come, on a thread of its own.
final class ParquetWriter {
  private let copier = RowCopier()
  private let file: String
  private var isOver = false

  /// The columns of a file, as they are declared.
  struct Column: Equatable {
    let name: String
    let type: String
  }

  /// Begins a file of these columns, for rows that may have more. Nil if the driver can't write rows as they come.
  init?(_ file: String, _ columns: [Column], of fields: [BuiltRows.Field], _ driver: ADBCDriver) {
    guard let database = DuckDBMemory(driver) else { return nil }
    self.file = file
    unlink(file)
    let values = columns.map { "CAST(\($0.name.asIdentifier) AS \($0.type)) AS \($0.name.asIdentifier)" }
    let statement = """
      COPY (SELECT \(values.joined(separator: ", ")) FROM rows) TO \(file.asLiteral) \
      (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 16384, ROW_GROUP_SIZE_BYTES \(24 << 20))
      """
    copier.begin(fields) { rows throws(ADBCError) in
      for setting in ParquetWriter.settings { try database.execute(setting) }
      try database.see(rows, as: "rows")
      try database.execute(statement)
    }
  }

  deinit { abandon() }

  /// Groups of rows end by their bytes only where DuckDB need not keep the order; on its one thread it is kept.
  private static let settings =
    DuckDBDialect().settings + [
      "SET autoload_known_extensions = false", "SET temp_directory = ''", "SET memory_limit = '192MB'",
      "SET preserve_insertion_order = false",
    ]

  /// Adds rows, which are taken; throws why nothing can be written.
  func add(_ rows: BuiltRows) throws(ADBCError) { try copier.copy(rows, isLast: false) }

  /// Returns when the file is whole.
  func finish() throws(ADBCError) {
    isOver = true
    do throws(ADBCError) {
      try copier.finish()
    } catch {
      unlink(file)
      throw error
    }
    copier.close()
  }

  /// Leaves no file.
  func abandon() {
    guard !isOver else { return }
    isOver = true
    copier.abandon()
    copier.close()
    unlink(file)
  }
}
