import CADBC

/// A DuckDB in memory, by DuckDB's own interface: its queries read rows that are in no table, as they come. Used on one thread at
/// a time.
final class DuckDBMemory: @unchecked Sendable {
  private let raw: OpaquePointer

  /// Nil if the driver's library lacks what this takes.
  init?(_ driver: ADBCDriver) {
    guard let raw = cadbc_duckdb_open(driver.path) else { return nil }
    self.raw = raw
  }

  deinit { cadbc_duckdb_close(raw) }

  /// Makes rows a view, which one query reads.
  func see(_ rows: UnsafeMutablePointer<ArrowArrayStream>, as name: String) throws(ADBCError) {
    guard cadbc_duckdb_scan(raw, name, rows) != 0 else {
      throw ADBCError(.internal, "DuckDB does not take the rows")
    }
  }

  func execute(_ sql: String) throws(ADBCError) {
    var message = [CChar](repeating: 0, count: 1024)
    guard cadbc_duckdb_run(raw, sql, &message, message.count) == 0 else { return }
    throw ADBCError(.internal, message.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
  }
}
