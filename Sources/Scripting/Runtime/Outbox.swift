import DequeModule
import Items
import Lua
import Paging

/// Items for the sink: collected into deliveries, several in flight at once.
final class Outbox {
  /// A reader's revision, acknowledged when the sink has accepted its delivery.
  struct Acknowledgement {
    var reader: Int
    var revision: Int
    /// How much the sink's list grows.
    var growth: Int
  }

  /// One stream's unsent items.
  private struct Lot {
    var stream: String?
    var reading: Int?
    var step: Int?
    var isNumbered = false
    var items: [Item] = []
    /// One change set; nothing is added to the lot after it.
    var operations: [ItemOperation] = []
    /// Nothing is added to the lot after it.
    var end: End?
    var acknowledgements: [Acknowledgement] = []
  }

  /// What a lot ends with. Of thousands of partitions each has a lot that waits, so that lots are small.
  private indirect enum End {
    case mark(ReadingMark)
    /// What the step returned.
    case stepResult(Bytes)
    /// The step goes no further in this run.
    case stepCut
    /// A call of another program that is answered once the sink has taken everything before.
    case answer(HostCallID, HostReply)
  }

  private let turn: Turn
  private let scheduler: Scheduler
  private let run: RunState
  private let tally: Tally
  /// Maximum items of the run.
  private let limit: Int?
  /// The sink has accepted a revision of a reader.
  var onAcknowledged: (Acknowledgement) -> Void = { _ in }

  /// Deliveries in flight, by host call, and the steps that end with them.
  private var underWay: [HostCallID: (acknowledgements: [Acknowledgement], step: Int?)] = [:]
  /// What steps have returned whose ends the sink has not taken yet.
  private var results: [Int: Bytes] = [:]
  private var lots: Deque<Lot> = []
  /// Calls of another program to answer once the deliveries with smaller numbers are taken.
  private var answers: Deque<(call: HostCallID, reply: HostReply, behind: HostCallID)> = []
  private var waitingItems = 0
  /// Items that were sent of steps that have not ended, by stream: they count once they are in the output.
  private var ofSteps: [Int: [String?: Int]] = [:]
  /// Whether the limit was reached: nothing is added any more.
  private(set) var isCut = false
  /// Tasks that emitted while the sink was behind.
  private var blocked: [ScriptTask] = []

  /// Maximum deliveries in flight.
  private static let width = 8
  /// Items that may wait before the emitting script waits too.
  private static let room = 1000

  init(_ turn: Turn, _ scheduler: Scheduler, _ run: RunState, _ tally: Tally, limit: Int?) {
    self.turn = turn
    self.scheduler = scheduler
    self.run = run
    self.tally = tally
    self.limit = limit
  }

  /// Whether nothing is waiting or in flight.
  var isEmpty: Bool { underWay.isEmpty && lots.isEmpty && answers.isEmpty }
  var isFull: Bool { isCut || waitingItems >= Self.room }

  func append(
    _ items: [Item], stream: String?, reading: Int? = nil, isNumbered: Bool = false,
    _ acknowledgement: Acknowledgement
  ) {
    guard !isCut else { return }
    let lot = lotIndex(stream, reading, isNumbered: isNumbered)
    // The first page of a lot is not copied.
    if lots[lot].items.isEmpty { lots[lot].items = items } else { lots[lot].items += items }
    lots[lot].acknowledgements.append(acknowledgement)
    waitingItems += items.count
  }

  /// A change set is one delivery, so that the sink can apply it atomically.
  func append(
    _ operations: [ItemOperation], stream: String?, reading: Int? = nil, _ acknowledgement: Acknowledgement
  ) {
    guard !isCut else { return }
    lots.append(
      Lot(stream: stream, reading: reading, operations: operations, acknowledgements: [acknowledgement]))
    waitingItems += operations.count
  }

  /// What was appended for the reading so far is all that comes before this place.
  func mark(_ reading: Int, stream: String?, _ mark: ReadingMark) {
    guard !isCut else { return }
    if let last = lots.indices.last, lots[last].reading == reading, lots[last].end == nil {
      lots[last].end = .mark(mark)
    } else {
      lots.append(Lot(stream: stream, reading: reading, end: .mark(mark)))
    }
  }

  func append(_ item: Item, stream: String?, step: Int? = nil, isNumbered: Bool = false) {
    guard !isCut else { return }
    lots[lotIndex(stream, nil, step: step, isNumbered: isNumbered)].items.append(item)
    waitingItems += 1
  }

  /// A step has ended, and what it emitted belongs to the output.
  func end(step: Int, _ result: Bytes) {
    guard !isCut else { return }
    lots.append(Lot(step: step, end: .stepResult(result)))
    results[step] = result
  }

  /// What a step has returned, as long as the sink does not know that it has ended.
  func result(ofStep step: Int) -> Bytes? { results[step] }

  /// A step has failed, or was cancelled: what it emitted belongs to nothing. What was sent of it is dropped where it begins
  /// again. Behind the limit all of them are cancelled, and what was sent stays.
  func drop(step: Int) {
    guard !isCut else { return }
    for lot in lots where lot.step == step { waitingItems -= lot.items.count }
    lots.removeAll { $0.step == step }
    ofSteps[step] = nil
  }

  /// Answers a call of another program once the sink has taken everything until now.
  func answer(_ call: HostCallID, _ reply: HostReply = .done) { lots.append(Lot(end: .answer(call, reply))) }

  /// Resumes the task when there is room again.
  func block(_ task: ScriptTask) { blocked.append(task) }

  /// Sends what may be sent.
  func flush() {
    while let (id, delivery) = next() {
      count(delivery)
      turn.append(.call(id, .emit(delivery)))
      if let limit, !isCut, sentItems >= limit { cut() }
    }
  }

  /// The limit is reached: the run stops, and nothing is sent that was not. Steps that have ended within it end in the output,
  /// too; what the others have brought is there, but they are not over.
  private func cut() {
    let short = Set(lots.lazy.filter { !$0.items.isEmpty }.compactMap(\.step))
    let ends: Deque<Lot> = lots.filter { lot in
      guard case .stepResult = lot.end, let step = lot.step else { return false }
      return !short.contains(step)
    }
    let over = Set(ends.compactMap(\.step))
    let open = ofSteps.keys.filter { !over.contains($0) }.sorted()
    lots = ends + Deque(open.map { Lot(step: $0, end: .stepCut) })
    waitingItems = 0
    isCut = true
    tally.coverage.isCut = true
    turn.enqueue { [run] in run.stop() }
  }

  /// Handles the sink's reply to a delivery; false if the reply is for something else.
  func replied(_ id: HostCallID, _ reply: HostReply) -> Bool {
    guard let (acknowledgements, step) = underWay.removeValue(forKey: id) else { return false }
    if let step { results[step] = nil }
    if case .failed(let failure) = reply {
      discard()
      run.fail(LuaError(failure, code: "sink"))
      return true
    }
    for acknowledgement in acknowledgements { onAcknowledged(acknowledgement) }
    answerCalls()
    if !isFull {
      for task in blocked { scheduler.resume(task) { _ in 0 } }
      blocked = []
    }
    return true
  }

  /// Answers the calls whose deliveries are taken.
  private func answerCalls() {
    guard !answers.isEmpty else { return }
    let oldest = underWay.keys.min()
    while let first = answers.first, oldest.map({ first.behind <= $0 }) ?? true {
      answers.removeFirst()
      turn.append(.answer(first.call, first.reply))
    }
  }

  /// Drops what was not sent.
  func discard() {
    lots = []
    answers = []
    waitingItems = 0
    (ofSteps, results) = ([:], [:])
  }

  /// Drops what was not sent, and expects no replies.
  func forget() {
    discard()
    underWay = [:]
  }

  private func lotIndex(
    _ stream: String?, _ reading: Int?, step: Int? = nil, isNumbered: Bool = false
  ) -> Int {
    if let last = lots.last, last.stream == stream, last.reading == reading, last.step == step,
      last.isNumbered == isNumbered, last.operations.isEmpty, last.end == nil
    {
      return lots.count - 1
    }
    lots.append(Lot(stream: stream, reading: reading, step: step, isNumbered: isNumbered))
    return lots.count - 1
  }

  /// The next delivery, if one may be sent.
  private func next() -> (HostCallID, Delivery)? {
    while case .answer(let call, let reply) = lots.first?.end {
      lots.removeFirst()
      answers.append((call, reply, behind: HostCallID(number: turn.nextNumber())))
      answerCalls()
    }
    guard !lots.isEmpty, underWay.count < Self.width else { return nil }
    let lot = removeFirst()
    waitingItems -= lot.items.count + lot.operations.count
    let id = HostCallID(number: turn.nextNumber())
    var delivery = Delivery(stream: lot.stream, items: lot.items, operations: lot.operations)
    (delivery.reading, delivery.step, delivery.isNumbered) = (lot.reading, lot.step, lot.isNumbered)
    switch lot.end {
    case .mark(let mark): delivery.mark = mark
    case .stepResult(let result): delivery.stepEnd = .over(result)
    case .stepCut: delivery.stepEnd = .cut
    case .answer, nil: break
    }
    underWay[id] = (lot.acknowledgements, delivery.stepEnd == nil ? nil : lot.step)
    return (id, delivery)
  }

  /// Takes the first lot, or what the limit has room for of it. A change set is kept whole, so that the sink's items are those
  /// of one reading.
  private func removeFirst() -> Lot {
    var lot = lots.removeFirst()
    let room = limit.map { max(0, $0 - sentItems) } ?? .max
    guard lot.items.count > room else { return lot }
    var rest = lot
    rest.items.removeFirst(room)
    rest.acknowledgements = []
    lots.prepend(rest)
    lot.items.removeLast(lot.items.count - room)
    lot.end = nil
    return lot
  }

  /// Items that were sent, those of steps that have not ended too.
  private var sentItems: Int {
    ofSteps.values.reduce(tally.statistics.items) { $0 + $1.values.reduce(0, +) }
  }

  private func count(_ delivery: Delivery) {
    let count = delivery.itemCount
    if let step = delivery.step {
      ofSteps[step, default: [:]][delivery.stream, default: 0] += count
      guard delivery.stepEnd != nil else { return }
      for (stream, count) in ofSteps.removeValue(forKey: step) ?? [:] { add(count, to: stream) }
      return
    }
    guard count > 0 || !delivery.operations.isEmpty else { return }
    add(count, to: delivery.stream)
    tally.statistics.removals += delivery.operations.count { if case .remove = $0 { true } else { false } }
  }

  private func add(_ count: Int, to stream: String?) {
    tally.statistics.items += count
    if let stream, count > 0 { tally.statistics.itemsPerStream[stream, default: 0] += count }
  }
}

extension LuaError {
  init(_ failure: HostFailure, code: String) {
    self.init(failure)
    self.code = code
  }
}
