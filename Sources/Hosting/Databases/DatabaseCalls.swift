import Glibc
public import Paging

/// Performs the host calls on SQLite databases, one after another on its own thread.
public final class DatabaseCalls: Sendable {
  private let worker = Worker(name: "databases")
  private let databases: ScriptDatabases
  private let pending = PendingCalls()
  private let meter: ProcessorMeter
  private let stop = StopFlag()

  /// Calls may open what the permissions grant, charged to the account; `:memory:` needs no permission.
  /// One that another process has locked is waited for.
  public init(
    permissions: Permissions, account: ScriptAccount = ScriptAccount(),
    waitingForLocks wait: Duration = .seconds(5)
  ) {
    meter = ProcessorMeter(account)
    databases = ScriptDatabases(
      permissions: permissions,
      limits: DatabaseLimits(account, meter, stop: stop, wait: DatabaseWait(timeout: wait)))
  }

  /// Applies these permissions to future calls.
  public func permit(_ permissions: Permissions) {
    worker.submit { [databases] in databases.permissions = permissions }
  }

  /// Performs a database call; `reply` is called once, on the database thread, or on any thread if the time is
  /// exhausted.
  public func perform(_ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void) {
    guard let number = pending.begin(reply) else {
      return reply(.failed(.processorTime("the work on databases")))
    }
    worker.submit { [databases, pending] in pending.finish(number, databases.perform(call)) }
  }

  /// Whether a call is pending: then `abandonOverdue` has to be called regularly.
  public var isActive: Bool { !pending.isEmpty }

  /// Charges for the current work; if no time is left and it can't be interrupted, answers without it.
  public func abandonOverdue() { pending.giveUp { [meter] in meter.pay() } }

  /// Interrupts the running statement, and returns when all calls are answered and every database is closed. Waits a
  /// few seconds for work that can't be interrupted.
  public func finish() {
    stop.set()
    worker.submit { [databases] in databases.closeAll() }
    for _ in 0..<500 where !pending.isEmpty { _ = poll(nil, 0, 10) }
    if pending.isLost || !pending.isEmpty { worker.abandon() } else { worker.finish() }
  }
}

/// The databases and cursors held open by scripts, and the calls on them; used only on the database thread.
private final class ScriptDatabases: @unchecked Sendable {
  private enum Open {
    case database(DatabaseConnection)
    case rows(DatabaseRows)

    var connection: DatabaseConnection {
      switch self {
      case .database(let connection): connection
      case .rows(let rows): rows.connection
      }
    }
  }

  var permissions: Permissions
  private let limits: DatabaseLimits
  private var open = HandleTable<Open>(first: 2, step: 4)

  init(permissions: Permissions, limits: DatabaseLimits) {
    self.permissions = permissions
    self.limits = limits
  }

  func perform(_ call: HostCall) -> HostReply {
    do throws(HostFailure) {
      try limits.meter.begin()
      let reply = try answer(call)
      guard limits.meter.stop() else { throw .processorTime("the work on databases") }
      return reply
    } catch {
      _ = limits.meter.stop()
      return .failed(error)
    }
  }

  func closeAll() { open.removeAll { _ in true } }

  private func answer(_ call: HostCall) throws(HostFailure) -> HostReply {
    switch call {
    case .openDatabase(let path, let isReadOnly):
      try open.checkRoom()
      return .handle(open.insert(.database(try openDatabase(path, isReadOnly: isReadOnly))))
    case .query(let handle, let statement):
      return .rows(try connection(handle).query(statement), isEnd: true)
    case .openRows(let handle, let statement):
      try open.checkRoom()
      return .handle(open.insert(.rows(try connection(handle).openRows(statement))))
    case .nextRows(let handle, let limit):
      guard case .rows(let rows) = try open.value(handle) else {
        throw HostFailure(.invalid, "it is a database and not the rows of a query")
      }
      let (list, isEnd) = try rows.next(limit)
      return .rows(list, isEnd: isEnd)
    case .execute(let handle, let statement):
      return .count(try connection(handle).execute(statement))
    case .close(let handle):
      close(handle)
      return .done
    case .connectDatabase, .http, .sleep, .idle, .emit, .begin, .beginStep, .readFile, .writeFile,
      .fileExists, .listFiles, .openLines, .listPage,
      .nextLines, .environment, .read, .request:
      preconditionFailure("not a call on a database: \(call)")
    }
  }

  /// Writing a database includes reading it: write permission suffices, unless reading is denied.
  private func openDatabase(
    _ path: String, isReadOnly: Bool
  ) throws(HostFailure) -> DatabaseConnection {
    guard path != DatabaseConnection.inMemory else {
      return try DatabaseConnection(path: path, at: nil, to: .write, limits: limits)
    }
    let call = "sqlite.open"
    var use = isReadOnly ? DatabaseUse.readOnly : .write
    let place = try permissions.reach(path, to: isReadOnly ? .read : .change, for: call, "open") {
      target throws(SystemError) in
      // SQLite may create files next to a database that is only read if the database itself is writable.
      if isReadOnly { use = permissions.checkWrite(target, as: path, for: call) == nil ? .read : .readOnly }
      return try DatabasePlace(target, mustExist: isReadOnly)
    }
    return try DatabaseConnection(path: path, at: place, to: use, limits: limits)
  }

  private func connection(_ handle: Int) throws(HostFailure) -> DatabaseConnection {
    guard case .database(let connection) = try open.value(handle) else {
      throw HostFailure(.invalid, "it is the rows of a query and not a database")
    }
    return connection
  }

  /// Closes its cursors too.
  private func close(_ handle: Int) {
    guard case .database(let connection) = open.remove(handle) else { return }
    open.removeAll { $0.connection === connection }
  }
}
