import Items
import Lua
import Paging

/// Items on their way to the sink: gathered into deliveries, a few of them under way at a time.
final class Outbox {
  /// A reader's revision that is acknowledged when the sink has taken its delivery.
  struct Acknowledgement {
    var reader: Int
    var revision: Int
    /// What the sink's list grows by.
    var growth: Int
  }

  /// One stream's items that wait to be sent.
  private struct Lot {
    var stream: String?
    var items: [Item] = []
    /// One change set; nothing is added to the lot then.
    var operations: [ItemOperation] = []
    var acknowledgements: [Acknowledgement] = []
  }

  private let turn: Turn
  private let scheduler: Scheduler
  private let run: RunState
  private let tally: Tally
  /// Items after which the run is over.
  private let limit: Int?
  /// The sink has taken a revision of a reader.
  var onAcknowledged: (Acknowledgement) -> Void = { _ in }

  /// Deliveries at the sink, by host call.
  private var underWay: [HostCallID: [Acknowledgement]] = [:]
  private var lots: [Lot] = []
  private var waitingItems = 0
  /// Tasks that emitted while the sink was behind.
  private var blocked: [ScriptTask] = []

  /// Deliveries that may be at the sink at once.
  private static let width = 8
  /// Items that may wait before the script that emits waits too.
  private static let room = 1000

  init(_ turn: Turn, _ scheduler: Scheduler, _ run: RunState, _ tally: Tally, limit: Int?) {
    self.turn = turn
    self.scheduler = scheduler
    self.run = run
    self.tally = tally
    self.limit = limit
  }

  /// Nothing waits and nothing is under way.
  var isEmpty: Bool { underWay.isEmpty && lots.isEmpty }
  var isFull: Bool { waitingItems >= Self.room }

  func append(_ items: [Item], stream: String?, _ acknowledgement: Acknowledgement) {
    let lot = lotIndex(stream)
    lots[lot].items += items
    lots[lot].acknowledgements.append(acknowledgement)
    waitingItems += items.count
  }

  /// A change set goes as one delivery, so that the sink can take all of it at once.
  func append(_ operations: [ItemOperation], stream: String?, _ acknowledgement: Acknowledgement) {
    lots.append(Lot(stream: stream, operations: operations, acknowledgements: [acknowledgement]))
    waitingItems += operations.count
  }

  func append(_ item: Item, stream: String?) {
    lots[lotIndex(stream)].items.append(item)
    waitingItems += 1
  }

  /// Resumes the task when there is room again.
  func block(_ task: ScriptTask) { blocked.append(task) }

  /// Sends what may be sent.
  func flush() {
    while let (id, delivery) = next() {
      let delivery = withinLimit(delivery)
      count(delivery)
      turn.append(.call(id, .emit(delivery)))
      guard let limit, tally.statistics.items >= limit else { continue }
      discard()
      tally.coverage.isCut = true
      turn.enqueue { [run] in run.stop() }
    }
  }

  /// The sink has taken a delivery, or cannot; false when the reply is for no delivery.
  func replied(_ id: HostCallID, _ reply: HostReply) -> Bool {
    guard let acknowledgements = underWay.removeValue(forKey: id) else { return false }
    if case .failed(let failure) = reply {
      discard()
      run.fail(LuaError(failure, code: "sink"))
      return true
    }
    for acknowledgement in acknowledgements { onAcknowledged(acknowledgement) }
    if !isFull {
      for task in blocked { scheduler.resume(task) { _ in 0 } }
      blocked = []
    }
    return true
  }

  /// Forgets what was not sent.
  func discard() {
    lots = []
    waitingItems = 0
  }

  private func lotIndex(_ stream: String?) -> Int {
    if let last = lots.indices.last, lots[last].stream == stream, lots[last].operations.isEmpty {
      return last
    }
    lots.append(Lot(stream: stream))
    return lots.count - 1
  }

  /// The next delivery, when one may be sent.
  private func next() -> (HostCallID, Delivery)? {
    guard !lots.isEmpty, underWay.count < Self.width else { return nil }
    let lot = lots.removeFirst()
    waitingItems -= lot.items.count + lot.operations.count
    let id = HostCallID(number: turn.nextNumber())
    underWay[id] = lot.acknowledgements
    return (id, Delivery(stream: lot.stream, items: lot.items, operations: lot.operations))
  }

  /// New items beyond the limit are left out. A change set is whole, so that the sink's items are those of one reading.
  private func withinLimit(_ delivery: Delivery) -> Delivery {
    guard let limit else { return delivery }
    let room = max(0, limit - tally.statistics.items)
    var delivery = delivery
    delivery.items.removeLast(max(0, delivery.items.count - room))
    return delivery
  }

  private func count(_ delivery: Delivery) {
    let count = delivery.itemCount
    tally.statistics.items += count
    tally.statistics.removals += delivery.operations.count { if case .remove = $0 { true } else { false } }
    if let stream = delivery.stream { tally.statistics.itemsPerStream[stream, default: 0] += count }
  }
}

extension LuaError {
  init(_ failure: HostFailure, code: String) {
    self.init(failure)
    self.code = code
  }
}
