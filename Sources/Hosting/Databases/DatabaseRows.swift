import Items
import Paging

/// A cursor over the rows of a query.
final class DatabaseRows {
  let connection: DatabaseConnection
  private let largestRow: Int
  /// Nil at the end.
  private var statement: DatabaseStatement?

  /// The rows of a statement, each of so many bytes at most.
  init(_ statement: DatabaseStatement, of connection: DatabaseConnection, upTo largestRow: Int) {
    self.statement = statement
    self.connection = connection
    self.largestRow = largestRow
  }

  deinit { close() }

  /// The next rows as a JSON array of objects, and whether there are no more. After a failure there are none.
  func next(_ limit: Int) throws(HostFailure) -> (json: Bytes, isEnd: Bool) {
    guard let statement else { return (Bytes("[]"), true) }
    do {
      let rows = try connection.access { try statement.rows(limit: limit, upTo: largestRow) }
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
