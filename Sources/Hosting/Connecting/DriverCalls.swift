public import Paging
import Synchronization

/// Performs the host calls on databases with drivers: each database on a thread of its own, so that one never waits for another.
public final class DriverCalls: Sendable {
  private enum Open {
    case database(DriverSession)
    case rows(DriverRows, of: DriverSession)

    var session: DriverSession {
      switch self {
      case .database(let session), .rows(_, let session): session
      }
    }
  }

  private let open = Mutex(HandleTable<Open>(first: 4, step: 4))
  private let permissions: Mutex<Permissions>
  private let account: ScriptAccount
  private let stop = StopFlag()

  /// Calls may reach what the permissions grant, charged to the account.
  public init(permissions: Permissions, account: ScriptAccount = ScriptAccount()) {
    self.permissions = Mutex(permissions)
    self.account = account
  }

  /// Whether the handle is one of these databases, or of the rows of one.
  static func isTheirs(_ handle: Int) -> Bool { handle > 0 && handle.isMultiple(of: 4) }

  /// Applies these permissions to databases that are opened from now on.
  public func permit(_ permissions: Permissions) { self.permissions.withLock { $0 = permissions } }

  /// Performs a call; `reply` is called once, on any thread.
  public func perform(_ call: HostCall, reply: @escaping @Sendable (HostReply) -> Void) {
    do throws(HostFailure) {
      try start(call, reply)
    } catch {
      reply(.failed(error))
    }
  }

  /// Whether a call is pending: then `abandonOverdue` has to be called regularly.
  public var isActive: Bool { sessions.contains { $0.isActive } }

  /// Cancels calls without time left, and answers those that do not end all the same.
  public func abandonOverdue() { for session in sessions { session.abandonOverdue() } }

  /// Cancels what is under way, and returns when all calls are answered and every connection is closed; waits a few seconds for
  /// databases that do not answer.
  public func finish() {
    stop.set()
    let sessions = sessions
    open.withLock { $0.removeAll { _ in true } }
    for session in sessions { session.cancel() }
    for session in sessions { session.finish() }
  }

  private var sessions: [DriverSession] {
    open.withLock { open in
      open.all.compactMap { if case .database(let session) = $0 { session } else { nil } }
    }
  }

  private func start(
    _ call: HostCall, _ reply: @escaping @Sendable (HostReply) -> Void
  ) throws(HostFailure) {
    switch call {
    case .connectDatabase(let address, let isReadOnly, let timeout):
      let address = try ScriptAddress(address)
      try open.withLock { open throws(HostFailure) in try open.checkRoom() }
      let session = DriverSession(account, stop: stop, timeout: timeout, shown: address.shown)
      let handle = open.withLock { $0.insert(.database(session)) }
      let (permissions, limit) = (permissions.withLock { $0 }, account.memoryLimit)
      session.perform { [self] connection throws(HostFailure) in
        do throws(HostFailure) {
          connection = try DriverConnection(
            address, isReadOnly: isReadOnly, memory: limit, permissions, watchedBy: session)
        } catch {
          _ = open.withLock { $0.remove(handle) }
          session.close()
          throw error
        }
        return .handle(handle)
      } reply: {
        reply($0)
      }
    case .query(let handle, let statement):
      try perform(on: handle, reply) { [account] connection throws(HostFailure) in
        .rows(try connection.query(statement, upTo: account.answerLimit), isEnd: true)
      }
    case .execute(let handle, let statement):
      try perform(on: handle, reply) { connection throws(HostFailure) in
        .count(try connection.execute(statement))
      }
    case .openRows(let handle, let statement):
      try open.withLock { open throws(HostFailure) in try open.checkRoom() }
      let session = try session(handle)
      try perform(on: handle, reply) { [self] connection throws(HostFailure) in
        let rows = try connection.rows(statement)
        return .handle(open.withLock { $0.insert(.rows(rows, of: session)) })
      }
    case .nextRows(let handle, let limit):
      guard case .rows(let rows, let session) = try value(handle) else {
        throw HostFailure(.invalid, "it is a database and not the rows of a query")
      }
      session.perform { [account] _ throws(HostFailure) in
        let (list, isEnd) = try rows.next(limit, upTo: account.answerLimit)
        return .rows(list, isEnd: isEnd)
      } reply: {
        reply($0)
      }
    case .close(let handle):
      close(handle)
      reply(.done)
    case .openDatabase, .http, .sleep, .idle, .emit, .begin, .beginStep, .readFile, .writeFile, .fileExists,
      .listFiles,
      .openLines, .nextLines, .listPage, .environment, .read, .request:
      preconditionFailure("not a call on a database with a driver: \(call)")
    }
  }

  private func perform(
    on handle: Int, _ reply: @escaping @Sendable (HostReply) -> Void,
    _ body: @escaping @Sendable (DriverConnection) throws(HostFailure) -> HostReply
  ) throws(HostFailure) {
    try session(handle).perform { connection throws(HostFailure) in
      guard let connection else { throw HostFailure(.invalid, "it is closed already") }
      return try body(connection)
    } reply: {
      reply($0)
    }
  }

  private func value(_ handle: Int) throws(HostFailure) -> Open {
    try open.withLock { open throws(HostFailure) in try open.value(handle) }
  }

  private func session(_ handle: Int) throws(HostFailure) -> DriverSession {
    guard case .database(let session) = try value(handle) else {
      throw HostFailure(.invalid, "it is the rows of a query and not a database")
    }
    return session
  }

  /// Closes the rows of a database too.
  private func close(_ handle: Int) {
    switch open.withLock({ $0.remove(handle) }) {
    case nil: break
    case .rows(let rows, let session)?: session.release(rows)
    case .database(let session)?:
      open.withLock { $0.removeAll { $0.session === session } }
      session.close()
    }
  }
}
