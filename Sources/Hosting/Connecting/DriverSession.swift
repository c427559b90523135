import Glibc
import Paging
import Synchronization

/// A database that a script has opened with a driver, as its thread sees it: calls run there one after another, and are cancelled
/// from elsewhere when their time is up.
final class DriverSession: Sendable {
  private struct Watch {
    /// When the call that runs has to have ended.
    var deadline: ContinuousClock.Instant?
    /// What it works with, to be cancelled.
    var connection: ADBCConnection?
    var isOverdue = false
  }

  /// What is used on the thread alone.
  private final class Held: @unchecked Sendable {
    var connection: DriverConnection?
  }

  private let worker = Worker(name: "a database")
  /// Cancelling may take as long as connecting.
  private let canceller = Worker(name: "cancelling a statement")
  private let pending = PendingCalls()
  private let held = Held()
  private let watch = Mutex(Watch())
  private let meter: ProcessorMeter
  private let stop: StopFlag
  private let timeout: Duration
  private let shown: String

  /// A session whose calls may take so long each, and whose work is charged to the account.
  init(_ account: ScriptAccount, stop: StopFlag, timeout: Duration, shown: String) {
    meter = ProcessorMeter(account)
    self.stop = stop
    self.timeout = timeout
    self.shown = shown
  }

  /// Whether a call is under way.
  var isActive: Bool { !pending.isEmpty }

  /// Runs the body on the session's thread and replies with its answer, unless that was given up before.
  func perform(
    _ body: @escaping @Sendable (inout DriverConnection?) throws(HostFailure) -> HostReply,
    reply: @escaping @Sendable (HostReply) -> Void
  ) {
    guard let number = pending.begin(reply) else { return reply(.failed(overdue)) }
    worker.submit { [self] in pending.finish(number, run(body)) }
  }

  /// Says with what the call that runs works from here on.
  func works(with connection: ADBCConnection) {
    let isLate = watch.withLock { watch in
      watch.connection = connection
      return watch.isOverdue
    }
    if isLate || stop.isSet { cancel() }
  }

  /// Cancels what is under way, soon.
  func cancel() {
    guard let connection = watch.withLock({ $0.connection }) else { return }
    canceller.submit { _ = try? connection.cancel() }
  }

  /// Cancels a call without time left; if it does not end, all are answered without the database.
  func abandonOverdue() {
    let now = ContinuousClock.now
    let late = watch.withLock { watch -> Duration? in
      guard let deadline = watch.deadline, deadline < now else { return nil }
      watch.isOverdue = true
      return deadline.duration(to: now)
    }
    let isPaid = meter.pay()
    if late != nil || !isPaid { cancel() }
    let isHopeless = late.map { $0 > .seconds(5) } ?? false
    pending.giveUp(with: isPaid ? overdue : .processorTime("the work on databases")) { isPaid && !isHopeless }
  }

  /// Gives rows back.
  func release(_ rows: DriverRows) { worker.submit { rows.close() } }

  /// Closes the connections when what runs has ended.
  func close() {
    worker.submit { [held] in
      held.connection = nil
    }
    worker.abandon()
    canceller.abandon()
  }

  /// Closes the connections and waits for that, a few seconds at the most.
  func finish() {
    worker.submit { [held] in held.connection = nil }
    let end = ContinuousClock.now + .seconds(5)
    while !pending.isEmpty, !pending.isLost, ContinuousClock.now < end { _ = poll(nil, 0, 10) }
    if pending.isLost || !pending.isEmpty {
      worker.abandon()
      canceller.abandon()
    } else {
      worker.finish()
      canceller.finish()
    }
  }

  private func run(
    _ body: (inout DriverConnection?) throws(HostFailure) -> HostReply
  ) -> HostReply {
    watch.withLock { $0 = Watch(deadline: .now + timeout) }
    defer { watch.withLock { $0 = Watch() } }
    do throws(HostFailure) {
      guard !stop.isSet else { throw HostFailure(.cancelled, "\(shown): the run ends") }
      try meter.begin()
      let reply = try body(&held.connection)
      guard meter.stop() else { throw .processorTime("the work on databases") }
      return reply
    } catch {
      let isPaid = meter.stop()
      if !isPaid { return .failed(.processorTime("\(shown): the statement")) }
      return .failed(watch.withLock { $0.isOverdue } ? overdue : error)
    }
  }

  private var overdue: HostFailure {
    HostFailure(
      .timeout,
      "\(shown): the call took more than \(timeout.decimalSeconds) s (timeout in database.open allows more)",
      isTransient: true)
  }
}
