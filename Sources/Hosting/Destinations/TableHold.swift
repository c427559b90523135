import Paging

/// Notices when somebody else alters a table that is written.
///
/// A class, since what it asks of the database can have a copy end that alters the table.
final class TableHold {
  private let table: String
  /// What the database said of it when it was looked at, or after it was altered here.
  private var digest: String?
  /// Whether it was altered here since.
  private var isAltered = false
  /// The transaction in which nobody else can alter it.
  private var transaction = 0

  init(_ table: String) { self.table = table }

  /// Notes how it is. It is looked at afterwards: what is altered meanwhile has another digest.
  func begin(in store: DestinationStore) throws {
    (digest, isAltered) = (try store.digest(of: table), false)
  }

  /// Notes that it was altered here.
  func alter() { isAltered = true }

  /// Has what was altered here be no change of somebody else; nobody else can alter the table now.
  func settle(in store: DestinationStore) throws {
    guard isAltered else { return }
    isAltered = false
    digest = try store.digest(of: table)
  }

  /// Keeps others from altering it until the transaction ends, if it is there; false if somebody has since it was looked at.
  func hold(ifThere isThere: Bool, in store: DestinationStore) throws -> Bool {
    guard transaction != store.transaction else { return true }
    transaction = store.transaction
    guard isThere, let statement = store.dialect.holding(store.dialect.table(table, in: store.schema)) else {
      return true
    }
    try store.execute(statement)
    return try store.digest(of: table) == digest
  }
}

extension DestinationStore {
  /// A text that is another one once somebody has altered a table; nil where nobody can, and where there is none.
  func digest(of table: String) throws -> String? {
    guard let query = dialect.digest(of: table, schema: schema) else { return nil }
    return try connection.first(query) { $0.text(0) } ?? nil
  }
}
