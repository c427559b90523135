import Paging

/// A database that takes the rows of streams: transactions with what is remembered of the rows in them. Used on one thread.
protocol RowStore: AnyObject {
  /// Where what is remembered is kept; what changes there is part of the transaction.
  var memory: Database { get }
  /// When a transaction that may wait for more is to be committed at the latest; nil if it may not wait.
  var dueAt: ContinuousClock.Instant? { get }
  /// Whether tables may be others than they were when a transaction was last begun here.
  var mayHaveChanged: Bool { get }
  /// Rows that went from one part of a source to another, or were not there to be removed.
  var moved: MovedRows { get }
  /// The log with rows that the disk did not let into the file.
  var log: String? { get }

  /// Begins a transaction, unless one is under way.
  func begin() throws

  /// The table of a stream, which may be missing yet. The rows of one that somebody else has made are found by the first of `keys`
  /// that is there.
  func table(_ name: String, idField: String?, keys: [String]) throws -> any StreamTable

  /// Tables that are remembered and are not there, as somebody has dropped them.
  func droppedTables() throws -> Set<String>

  /// Remembers a table no more.
  func forget(table name: String) throws

  /// Makes sure that the ids which a reading has brought are in memory, before it is begun.
  func recall(stream: String, partition: String) throws

  /// What waits for a reading, or for a step, below zero.
  func aside(_ owner: Int) -> any WaitingItems

  /// Does all of it, or nothing.
  func attempt(_ body: () throws -> Void) throws

  /// Does some of what waits meanwhile, if there is enough of it.
  func advance() throws

  /// Throws where the transaction that is under way has ended by itself, so that nothing is written behind it.
  func checkTransaction() throws

  /// Ends the transaction: on return, others see it, and a kill does not undo it.
  func commit() throws

  /// Takes back what was not committed.
  func rollBack()

  /// Completes the database and releases it.
  func close(_ ending: StoreEnding) throws

  /// An error of it in words.
  func explain(_ error: any Error) -> SinkError
}

/// How a run has left a database.
enum StoreEnding {
  /// All that there was to write is committed.
  case whole
  /// What is committed is right, and the run is not over.
  case cut
  /// What was to be committed last was not.
  case broken
}
