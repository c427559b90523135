public import Items

/// Names a host call while it is under way; never used twice in a run.
public struct HostCallID: Hashable, Sendable, Comparable {
  public let number: Int

  public init(number: Int) { self.number = number }

  public static func < (left: HostCallID, right: HostCallID) -> Bool { left.number < right.number }
}

/// A script's request to the outside. Live, the host carries it out; in the lab, the simulated world answers it.
public enum HostCall: Sendable, Equatable {
  /// One attempt at an HTTP exchange → `.response`.
  case http(HTTPRequest)
  /// → `.done` when the time has passed.
  case sleep(Duration)
  /// Items for the sink → `.done` when the sink has taken them (it waits when the sink is behind).
  case emit(Delivery)

  /// A whole file → `.bytes`.
  case readFile(path: String)
  /// Replaces a file → `.done`.
  case writeFile(path: String, contents: Bytes)
  /// → `.flag`.
  case fileExists(path: String)
  /// The names in a folder, sorted → `.names`.
  case listFiles(path: String)
  /// A file to be read line by line → `.handle`.
  case openLines(path: String)
  /// The next lines, without their line ends → `.lines`; fewer than `limit` at the end, or where they are long.
  case nextLines(handle: Int, limit: Int)

  /// → `.handle`.
  case openDatabase(path: String, isReadOnly: Bool)
  /// All rows as one JSON array of objects, columns in their order → `.bytes`.
  case query(handle: Int, SQLStatement)
  /// A cursor over the rows → `.handle`.
  case openRows(handle: Int, SQLStatement)
  /// The next rows as a JSON array of objects → `.rows`; fewer than `limit` at the end, or where they are large.
  case nextRows(handle: Int, limit: Int)
  /// → `.count`, the rows changed.
  case execute(handle: Int, SQLStatement)
  /// Ends a handle of any kind → `.done`; a second time is harmless.
  case close(handle: Int)

  /// A variable of the environment → `.text`.
  case environment(name: String)
}

/// Items on their way to the sink, in order.
public struct Delivery: Sendable, Equatable {
  /// The stream's name; nil is the only or first one.
  public var stream: String?
  /// New items, behind all that the stream has.
  public var items: [Item]
  /// One change of the stream's items, in steps as they apply, behind the new items. A sink takes all of them or none.
  public var operations: [ItemOperation]

  public init(stream: String? = nil, items: [Item] = [], operations: [ItemOperation] = []) {
    self.stream = stream
    self.items = items
    self.operations = operations
  }

  /// Items that it brings, new or in a new form.
  public var itemCount: Int { items.count + operations.count { $0.item != nil } }

  /// Bytes of the items that it brings.
  public var byteCount: Int {
    items.reduce(0) { $0 + $1.bytes.count } + operations.reduce(0) { $0 + ($1.item?.bytes.count ?? 0) }
  }
}

/// SQL text and what stands for its parameters.
public struct SQLStatement: Sendable, Equatable {
  public var sql: String
  /// For `?`, in order.
  public var positional: [SQLValue]
  /// For `:name`, `@name` and `$name`; the keys come without the mark.
  public var named: [String: SQLValue]

  public init(_ sql: String, positional: [SQLValue] = [], named: [String: SQLValue] = [:]) {
    self.sql = sql
    self.positional = positional
    self.named = named
  }
}

/// A value that SQLite can hold.
public enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Bytes)
}
