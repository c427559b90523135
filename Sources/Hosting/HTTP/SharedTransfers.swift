import CCurl
import Paging
import Synchronization

/// Transfers that a loop drives where it waits most of its time, so that no thread has to be woken for an answer, and else a thread.
///
/// Who has the turn drives them. A loop that waits takes it for as long as it has something to do for them; it is the thread's once
/// nobody has looked after them for a moment, and when it is lent, until the loop wants it back. Meanwhile the loop leaves orders.
final class SharedTransfers: @unchecked Sendable {
  /// What who has the turn is told.
  enum Order: Sendable {
    case start(OutgoingRequest)
    case cancel(HostCallID)
    /// For the requests behind it.
    case permit(Permissions)
    /// The turn is the thread's, or the loop's.
    case drive, giveBack
    case end
  }

  private enum Turn {
    static let (nobodys, loops, threads) = (0, 1, 2)
  }

  /// So long the loop may leave them alone.
  private static let longestRest = Duration.milliseconds(20)

  /// From the loop, which is the only one to leave them.
  let orders = Letters<Order>()
  /// Used by who has the turn.
  private let transfers: HTTPTransfers
  private let wakeLoop: @Sendable () -> Void
  /// The thread begins with it.
  private let turn = Atomic(Turn.threads)
  /// What is known of the transfers without the turn: how many there are, and when the loop left them.
  private let count = Atomic(0)
  private let leftAt = Atomic<Int64>(0)
  /// Whether the loop has asked for the turn since it last had it.
  private var hasAsked = false
  /// Whether the thread has to be woken to look after the loop.
  private let isThreadAsleep = Atomic(false)

  /// `wakeLoop` is called when the turn is given back with transfers in it.
  init(_ transfers: sending HTTPTransfers, wakeLoop: @escaping @Sendable () -> Void) {
    self.transfers = transfers
    self.wakeLoop = wakeLoop
  }

  /// Whether there is none, as far as is known without the turn.
  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }
  private var isThreads: Bool { turn.load(ordering: .relaxed) == Turn.threads }

  private func take(_ mine: Int) -> Bool {
    turn.compareExchange(expected: Turn.nobodys, desired: mine, ordering: .acquiringAndReleasing).exchanged
  }

  private func leave() {
    note()
    turn.store(Turn.nobodys, ordering: .releasing)
  }

  private func note() { count.store(transfers.count, ordering: .sequentiallyConsistent) }

  private func carryOut(_ order: Order) {
    switch order {
    case .start(let request): transfers.start(request)
    case .cancel(let id): transfers.cancel(id)
    case .permit(let permissions): transfers.permit(permissions)
    case .drive, .giveBack, .end: break
    }
  }
}

/// The loop's side.
extension SharedTransfers {
  /// Calls `body` with the transfers, if the turn can be had.
  func drive(_ body: (HTTPTransfers) -> Void) -> Bool {
    guard take(Turn.loops) else { return false }
    hasAsked = false
    for order in orders.drain() { carryOut(order) }
    body(transfers)
    leftAt.store(Instant.ofThisMachine.nanoseconds, ordering: .relaxed)
    leave()
    if !isEmpty, isThreadAsleep.exchange(false, ordering: .sequentiallyConsistent) { orders.waker.wake() }
    return true
  }

  /// Has the thread drive them, if there are any.
  func lendTurn() {
    if !isThreads, !isEmpty { orders.leave(.drive) }
  }

  /// Has the thread give the turn back: the loop is woken when it can be had.
  func wantTurn() {
    guard !hasAsked else { return }
    hasAsked = true
    orders.leave(.giveBack)
  }
}

/// The thread's side.
extension SharedTransfers {
  /// Drives them when it has to, until the end.
  func serve() {
    transfers.prepare()
    while driveAsThread() { lookAfterLoop() }
  }

  /// Drives them until the loop wants the turn; false at the end.
  private func driveAsThread() -> Bool {
    while true {
      var isWanted = false
      for order in orders.drain() {
        switch order {
        case .giveBack: isWanted = true
        case .drive: isWanted = false
        case .end: return false
        default: carryOut(order)
        }
      }
      let maybeMore = transfers.advance()
      if isWanted {
        leave()
        if !isEmpty { wakeLoop() }
        return true
      }
      note()
      guard !maybeMore, orders.beginWait() else { continue }
      orders.finishWait(isWoken: orders.waker.wait(transfers.timeLeft, or: transfers.descriptor))
    }
  }

  /// Waits until the turn is the thread's.
  private func lookAfterLoop() {
    while true {
      // The loop carries out itself what it finds, so that what is found here is for the thread, or else soon gone.
      let hasOrders = !orders.beginWait()
      if hasOrders || isLeftAlone, take(Turn.threads) { return orders.finishWait(isWoken: false) }
      isThreadAsleep.store(isEmpty, ordering: .sequentiallyConsistent)
      let isForever = isEmpty && !hasOrders
      let isWoken = orders.waker.wait(isForever ? nil : Self.longestRest)
      isThreadAsleep.store(false, ordering: .relaxed)
      orders.finishWait(isWoken: isWoken)
    }
  }

  /// Whether nobody has driven them for long.
  private var isLeftAlone: Bool {
    !isEmpty
      && Instant.ofThisMachine.nanoseconds - leftAt.load(ordering: .relaxed) >= Self.longestRest.nanoseconds
  }
}
