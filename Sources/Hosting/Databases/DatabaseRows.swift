import Items
import Paging

/// A cursor over the rows of a query.
final class DatabaseRows {
  let connection: DatabaseConnection
  /// Nil at the end.
  private var statement: DatabaseStatement?

  init(_ statement: DatabaseStatement, of connection: DatabaseConnection) {
    self.statement = statement
    self.connection = connection
  }

  deinit { close() }

  /// The next rows as a JSON array of objects, and whether there are no more. After a failure there are none.
  func next(_ limit: Int) throws(HostFailure) -> (json: Bytes, isEnd: Bool) {
    guard let statement else { return (Bytes("[]"), true) }
    do {
      let rows = try connection.access { _ in try statement.rows(limit: limit) }
      if rows.isEnd { close() }
      return rows
    } catch {
      close()
      throw error
    }
  }

  private func close() {
    guard let statement else { return }
    self.statement = nil
    connection.release(statement)
  }
}
