public import Items

/// Identifies a host call; unique within a run.
public struct HostCallID: Hashable, Sendable, Comparable {
  public let number: Int

  public init(number: Int) { self.number = number }

  public static func < (left: HostCallID, right: HostCallID) -> Bool { left.number < right.number }
}

/// A script's request to the outside. Live, the host performs it; in the lab, the simulated world answers it.
public enum HostCall: Sendable, Equatable {
  /// One attempt at an HTTP exchange → `.response`.
  indirect case http(HTTPRequest)
  /// → `.done` after that time.
  case sleep(Duration)
  /// → `.done` once there is nothing else to do for the moment, or after long enough.
  case idle
  /// Items for the sink → `.done` once the sink has accepted them (it waits while the sink is behind).
  indirect case emit(Delivery)
  /// A reading of a source for the sink → `.begun`; nothing is delivered for it before.
  indirect case begin(ReadingRequest)
  /// A step of a workflow, by its key and the parameters of the run → `.step`; what it emits is in the output once it
  /// has ended.
  case beginStep(key: String, parameters: String)

  /// A whole file → `.bytes`.
  case readFile(path: String)
  /// Replaces a file → `.done`.
  case writeFile(path: String, contents: Bytes)
  /// → `.flag`.
  case fileExists(path: String)
  /// The names in a directory, sorted → `.names`.
  case listFiles(path: String)
  /// A file to read line by line → `.handle`.
  case openLines(path: String, keepsEnds: Bool = false)
  /// The next lines, without line ends → `.lines`; fewer than `limit` at the end, or if they are long.
  case nextLines(handle: Int, limit: Int)
  /// Up to `limit` elements of the list that a JSON file has below the members in `at`, from a place or its first one → `.page`;
  /// fewer at the end, or if they are long. Without `at` the file is the list, or values one after another.
  indirect case listPage(path: String, at: [String], from: FilePlace?, limit: Int)

  /// → `.handle`.
  case openDatabase(path: String, isReadOnly: Bool)
  /// A database that needs a driver, by its address; a call on it may take so long → `.handle`.
  case connectDatabase(address: String, isReadOnly: Bool, timeout: Duration)
  /// All rows as one JSON array of objects, columns in order → `.rows`.
  case query(handle: Int, SQLStatement)
  /// A cursor over the rows → `.handle`.
  case openRows(handle: Int, SQLStatement)
  /// The next rows as a JSON array of objects → `.rows`; fewer than `limit` at the end, or if they are large.
  case nextRows(handle: Int, limit: Int)
  /// → `.count`, the number of changed rows.
  case execute(handle: Int, SQLStatement)
  /// Closes a handle of any kind → `.done`; closing twice is harmless.
  case close(handle: Int)

  /// An environment variable → `.text`.
  case environment(name: String)

  /// A partition for another program of the run to read → `.done` once the sink has taken all of it.
  indirect case read(Partition)
  /// An HTTP request for the gate of another program of the run → its reply.
  indirect case request(HTTPRequest, GateTerms)
}

/// Items for the sink, in order.
public struct Delivery: Sendable, Equatable {
  /// The name of the stream; nil is the only or first one.
  public var stream: String?
  /// New items, after everything in the stream.
  public var items: [Item]
  /// Changes to items of the stream, as steps after the new items. A sink applies all of them or none.
  public var operations: [ItemOperation]
  /// The reading that brought them; nil is none that is remembered.
  public var reading: Int?
  /// The step that emitted them; nil is none.
  public var step: Int?
  /// How the step ends, if it does with them.
  public var stepEnd: StepEnd?
  /// Whether the items have no ids of their own: those that they have only count them, as they came.
  public var isNumbered = false
  /// How far the reading has come with them; nil in the middle of a page.
  public var mark: ReadingMark?

  public init(stream: String? = nil, items: [Item] = [], operations: [ItemOperation] = []) {
    self.stream = stream
    self.items = items
    self.operations = operations
  }

  /// Items in it, new or changed.
  public var itemCount: Int { items.count + operations.count { $0.item != nil } }

  /// Bytes of the items in it.
  public var byteCount: Int {
    items.reduce(0) { $0 + $1.bytes.count } + operations.reduce(0) { $0 + ($1.item?.bytes.count ?? 0) }
  }
}

/// The end of what a step brings.
public enum StepEnd: Sendable, Equatable {
  /// It is over, and has returned that, as JSON.
  case over(Bytes)
  /// The run ends well in the middle of it, as at a limit: what it has brought is in the output, and the next run does it again.
  case cut
}

/// SQL text and its parameters.
public struct SQLStatement: Sendable, Equatable {
  public var sql: String
  /// For `?`, in order.
  public var positional: [SQLValue]
  /// For `:name`, `@name` and `$name`; keys without the prefix.
  public var named: [String: SQLValue]

  public init(_ sql: String, positional: [SQLValue] = [], named: [String: SQLValue] = [:]) {
    self.sql = sql
    self.positional = positional
    self.named = named
  }
}

/// The value of a parameter of a statement, or one that SQLite holds: there truths are the integers 0 and 1.
public enum SQLValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Bytes)
}
