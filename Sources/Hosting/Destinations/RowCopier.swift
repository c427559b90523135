import CADBC
import Glibc
import Paging

/// Has rows copied on a thread of its own, so that the next ones are built meanwhile. All that is copied from `begin` to `finish`
/// is one statement, for which the driver asks for one portion after the other, and nothing else is done on its connection
/// meanwhile.
final class RowCopier {
  private enum State {
    case idle
    /// The rows that are to be copied next, and whether they are the last ones.
    case copying(next: BuiltRows?, isLast: Bool)
    /// Nobody wants the rows any more.
    case abandoned
    case ended(ADBCError?)
  }

  private let state = Monitor(State.idle)
  private var worker: Worker?

  /// Begins to copy rows of these columns into a table.
  func begin(_ fields: [BuiltRows.Field], over connection: ADBCConnection, into target: ADBCTarget) {
    begin(fields) { stream throws(ADBCError) in
      let statement = try ADBCStatement(connection, options: target.options)
      try statement.bind(stream)
      try statement.execute()
    }
  }

  /// Begins to copy rows of these columns to where `consume` brings them, on the thread.
  func begin(
    _ fields: [BuiltRows.Field],
    _ consume: @escaping @Sendable (UnsafeMutablePointer<ArrowArrayStream>) throws(ADBCError) -> Void
  ) {
    state.withLock { $0 = .copying(next: nil, isLast: false) }
    let worker = worker ?? Worker(name: "copy")
    self.worker = worker
    worker.submit { [state] in
      var problem: ADBCError?
      do throws(ADBCError) {
        var stream = ArrowArrayStream(fields) { RowCopier.next(state) }
        defer { stream.release?(&stream) }
        try consume(&stream)
      } catch {
        problem = error
      }
      state.withLock { state in
        if case .copying(let rows?, _) = state { rows.free() }
        state = .ended(problem)
      }
      state.wakeAll()
    }
  }

  /// What the driver is to copy next.
  private static func next(_ state: Monitor<State>) -> NextRows {
    let next = state.wait { (state: inout State) -> NextRows? in
      switch state {
      case .copying(let rows?, let isLast):
        state = .copying(next: nil, isLast: isLast)
        return .rows(rows)
      case .copying(nil, true), .idle, .ended: return .end
      case .copying(nil, false): return nil
      case .abandoned: return .never
      }
    }
    state.wakeAll()
    return next
  }

  /// Has more rows copied, as soon as those before are under way; throws why these can't be.
  func copy(_ rows: BuiltRows, isLast: Bool) throws(ADBCError) {
    let failure = state.wait { (state: inout State) -> ADBCError?? in
      switch state {
      case .copying(nil, _):
        state = .copying(next: rows, isLast: isLast)
        return .some(nil)
      case .copying: return nil
      case .ended(let error): return .some(error)
      case .idle, .abandoned: preconditionFailure("nothing is copied")
      }
    }
    state.wakeAll()
    guard let failure else { return }
    rows.free()
    throw failure
  }

  /// Returns when all rows are copied; throws why they are not.
  func finish() throws(ADBCError) {
    state.withLock { state in
      if case .copying(let rows, _) = state { state = .copying(next: rows, isLast: true) }
    }
    state.wakeAll()
    let failure = state.wait { (state: inout State) -> ADBCError?? in
      switch state {
      case .copying, .abandoned: return nil
      case .idle: return .some(nil)
      case .ended(let error):
        state = .idle
        return .some(error)
      }
    }
    if let failure { throw failure }
  }

  /// Has the statement fail, as far as it has not ended, and returns when it has.
  func abandon() {
    state.withLock { state in
      guard case .copying(let rows, _) = state else { return }
      rows?.free()
      state = .abandoned
    }
    state.wakeAll()
    try? finish()
  }

  /// Ends the thread.
  func close() {
    worker?.finish()
    worker = nil
  }
}

/// What comes next of rows that are copied.
enum NextRows: Sendable {
  case rows(BuiltRows)
  case end
  /// No more of them, though they are not all.
  case never
}

extension ArrowArrayStream {
  /// Rows of these columns, portion by portion, as `next` answers.
  init(_ fields: [BuiltRows.Field], _ next: @escaping () -> NextRows) {
    self.init()
    private_data = Unmanaged.passRetained(RowStream(fields, next)).toOpaque()
    get_schema = { stream, schema in
      guard let rows = RowStream.of(stream), let schema else { return EINVAL }
      schema.pointee = BuiltRows.schema(rows.fields)
      return 0
    }
    get_next = { stream, array in
      guard let rows = RowStream.of(stream), let array else { return EINVAL }
      array.pointee = ArrowArray()
      switch rows.next() {
      case .rows(let rows): array.pointee = rows.array
      case .end: break
      case .never: return ECANCELED
      }
      return 0
    }
    get_last_error = { _ in nil }
    release = { stream in
      guard let stream, let data = stream.pointee.private_data else { return }
      Unmanaged<RowStream>.fromOpaque(data).release()
      stream.pointee.private_data = nil
      stream.pointee.release = nil
    }
  }
}

/// What a stream has.
private final class RowStream {
  let fields: [BuiltRows.Field]
  let next: () -> NextRows

  init(_ fields: [BuiltRows.Field], _ next: @escaping () -> NextRows) {
    (self.fields, self.next) = (fields, next)
  }

  static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> RowStream? {
    (stream?.pointee.private_data).map { Unmanaged<RowStream>.fromOpaque($0).takeUnretainedValue() }
  }
}
