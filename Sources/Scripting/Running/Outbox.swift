import Items
import Lua
import Paging

/// Items on their way to the sink: gathered into deliveries, a few of them under way at a time.
struct Outbox {
  /// One stream's items that wait to be sent.
  private struct Lot {
    var stream: String?
    var items: [Item] = []
    /// One change set; nothing is added to the lot then.
    var operations: [ItemOperation] = []
    var acknowledgements: [Acknowledgement] = []
  }

  /// A reader's revision that is taken when the delivery is.
  struct Acknowledgement {
    var reader: Int
    var revision: Int
    /// What the sink's list grows by.
    var growth: Int
  }

  /// Deliveries at the sink, by host call.
  private var underWay: [HostCallID: [Acknowledgement]] = [:]
  private var lots: [Lot] = []
  private var waitingItems = 0
  /// What the newest reply acknowledged.
  private(set) var acknowledged: [Acknowledgement] = []
  /// Tasks that emitted while the sink was behind.
  var blocked: [ScriptTask] = []

  /// Deliveries that may be at the sink at once.
  private static let width = 8
  /// Items that may wait before whoever emits waits.
  private static let room = 1000

  /// Nothing waits and nothing is under way.
  var isEmpty: Bool { underWay.isEmpty && lots.isEmpty }
  var isFull: Bool { waitingItems >= Self.room }

  mutating func append(_ items: [Item], stream: String?, _ acknowledgement: Acknowledgement) {
    let lot = lotIndex(stream)
    lots[lot].items += items
    lots[lot].acknowledgements.append(acknowledgement)
    waitingItems += items.count
  }

  /// A change set goes as one delivery, so that the sink can take all of it at once.
  mutating func append(_ operations: [ItemOperation], stream: String?, _ acknowledgement: Acknowledgement) {
    lots.append(Lot(stream: stream, operations: operations, acknowledgements: [acknowledgement]))
    waitingItems += operations.count
  }

  mutating func append(_ item: Item, stream: String?) {
    lots[lotIndex(stream)].items.append(item)
    waitingItems += 1
  }

  private mutating func lotIndex(_ stream: String?) -> Int {
    if let last = lots.indices.last, lots[last].stream == stream, lots[last].operations.isEmpty {
      return last
    }
    lots.append(Lot(stream: stream))
    return lots.count - 1
  }

  /// The next delivery, when one may be sent; `number` names its host call.
  mutating func next(_ number: () -> Int) -> (HostCallID, Delivery)? {
    guard !lots.isEmpty, underWay.count < Self.width else { return nil }
    let lot = lots.removeFirst()
    waitingItems -= lot.items.count + lot.operations.count
    let id = HostCallID(number: number())
    underWay[id] = lot.acknowledgements
    return (id, Delivery(stream: lot.stream, items: lot.items, operations: lot.operations))
  }

  /// Whether the reply is for a delivery; then `acknowledged` says what it was for.
  mutating func acknowledge(_ id: HostCallID) -> Bool {
    guard let acknowledgements = underWay.removeValue(forKey: id) else { return false }
    acknowledged = acknowledgements
    return true
  }

  /// Forgets what was not sent: the sink is broken.
  mutating func discard() {
    lots = []
    waitingItems = 0
  }
}
