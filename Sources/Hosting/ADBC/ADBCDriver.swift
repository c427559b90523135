import CADBC

/// A driver for one kind of database: a library that is loaded when it is made, and stays loaded.
///
///     let driver = try ADBCDriver(path: "/usr/lib/libadbc_driver_postgresql.so")
///     let database = try ADBCDatabase(driver, options: [("uri", "postgresql://localhost/shop")])
///     let connection = try ADBCConnection(database)
///     try connection.execute("DELETE FROM items")
public final class ADBCDriver: Sendable {
  /// Where it was loaded from.
  public let path: String
  /// Whether it knows what ADBC 1.1.0 has added.
  public let isNew: Bool
  /// Its functions; those that it lacks answer that they are not supported.
  nonisolated(unsafe) let functions: UnsafePointer<AdbcDriver>

  /// Loads a library. `entry` is the function that it exports, or nil for the usual names; `python` is Python's own library
  /// for a driver that is a module of Python.
  public init(path: String, entry: String? = nil, python: String? = nil) throws(ADBCError) {
    // Never freed: what it says may be called as long as the library is there.
    let table = UnsafeMutablePointer<AdbcDriver>.allocate(capacity: 1)
    var message = [CChar](repeating: 0, count: 1024)
    var version: CInt = 0
    let outcome = cadbc_load(path, entry, python, table, &version, &message, message.count)
    let said = message.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    switch outcome {
    case .CADBC_LOADED: break
    case .CADBC_NO_LIBRARY: throw ADBCError(.notFound, "the driver can't be loaded: \(said)")
    case .CADBC_NO_PYTHON:
      throw ADBCError(
        .notFound,
        "the driver is a module of Python, and needs Python's library, which can't be loaded: \(said) (install it, as libpython3.11 "
          + "on Debian 12, or put a libduckdb.so into a folder that LOOKAHEAD_DRIVERS names)")
    case .CADBC_NO_ENTRY: throw ADBCError(.invalidArgument, "\(path) is no ADBC driver: \(said)")
    case .CADBC_NOT_READY: throw ADBCError(.invalidState, "the driver \(path) does not start: \(said)")
    }
    self.path = path
    isNew = version >= ADBC_VERSION_1_1_0
    functions = UnsafePointer(table)
  }
}

/// A database that a driver knows how to reach; connections come from it.
public final class ADBCDatabase: @unchecked Sendable {
  /// The driver's functions.
  let functions: UnsafePointer<AdbcDriver>
  private let driver: ADBCDriver
  /// What the driver calls it.
  let raw: UnsafeMutablePointer<AdbcDatabase>

  /// A database by its options, such as `uri`; whether it can be reached may show only when a connection is made.
  public init(_ driver: ADBCDriver, options: [(name: String, value: String)]) throws(ADBCError) {
    self.driver = driver
    functions = driver.functions
    raw = .allocate(capacity: 1)
    raw.initialize(to: AdbcDatabase())
    try ADBCError.check { [raw] in functions.pointee.DatabaseNew(raw, $0) }
    for (name, value) in options {
      try ADBCError.check { [raw] in functions.pointee.DatabaseSetOption(raw, name, value, $0) }
    }
    try ADBCError.check { [raw] in functions.pointee.DatabaseInit(raw, $0) }
  }

  deinit {
    if raw.pointee.private_data != nil {
      _ = try? ADBCError.check { functions.pointee.DatabaseRelease(raw, $0) }
    }
    raw.deallocate()
  }
}
