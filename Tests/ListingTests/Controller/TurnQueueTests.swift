import Listing
import Paging
import Testing

@Suite struct TurnQueueTests {
  struct Inputs: Decodable {
    let enqueue: [String?]
    let exclusive: Bool?
    let batch_size: Int?
    let turns: Int?
    let coalescing: Bool?
  }
  struct Expected: Decodable {
    let is_empty: Bool?
    let dequeued: Int?
    let drained_flag: [String: Bool]?
    let processed_synchronously: Bool?
    let processed_at_enqueue: Bool?
    let processed_after_turn: Bool?
  }

  @Test(arguments: cases("ASRunLoopQueueTests") as [SuiteCase<Inputs, Expected>])
  func `turns take batches in order`(_ example: SuiteCase<Inputs, Expected>) {
    let inputs = example.inputs
    guard inputs.coalescing == nil else { return }
    var queue = TurnQueue<String>(
      isExclusive: inputs.exclusive ?? true, batchSize: inputs.batch_size ?? 1)
    var taken: [(String, Bool)] = []

    for element in inputs.enqueue { queue.enqueue(element) }
    let turns = inputs.turns ?? (example.expected.is_empty == nil ? 10 : 0)
    for _ in 0..<turns { queue.turn { taken.append(($0, $1)) } }

    if let isEmpty = example.expected.is_empty { #expect(queue.isEmpty == isEmpty) }
    if let count = example.expected.dequeued { #expect(taken.count == count) }
    if let flags = example.expected.drained_flag {
      #expect(Dictionary(uniqueKeysWithValues: taken) == flags)
    }
  }

  /// testASCATransactionQueueDisable, testASCATransactionQueueProcess: what upstream's queue coalesces are
  /// interface states, which are ranges here and are coalesced by the range controller.
  @Test(arguments: cases("ASRunLoopQueueTests") as [SuiteCase<Inputs, Expected>])
  func `states are told at once or with the turn`(_ example: SuiteCase<Inputs, Expected>) {
    guard let isCoalescing = example.inputs.coalescing else { return }
    var controller = RangeController(
      lengths: ItemLengths(count: 10, length: 10), axis: .vertical, isCoalescing: isCoalescing)
    controller.moveViewport(to: Rect(x: 0, y: 0, width: 10, height: 30))

    let atOnce = !controller.update().isEmpty
    let afterTurn = !controller.commit().isEmpty

    let expected = example.expected
    if let isSynchronous = expected.processed_synchronously { #expect(atOnce == isSynchronous) }
    if let isAtEnqueue = expected.processed_at_enqueue { #expect(atOnce == isAtEnqueue) }
    if let isAfterTurn = expected.processed_after_turn { #expect(afterTurn == isAfterTurn) }
  }

  @Test func `what was taken may be queued again`() {
    var queue = TurnQueue<Int>(batchSize: 5)
    var taken: [Int] = []

    queue.enqueue(1)
    queue.turn { element, _ in taken.append(element) }
    queue.enqueue(1)
    queue.turn { element, _ in taken.append(element) }

    #expect(taken == [1, 1])
  }
}
