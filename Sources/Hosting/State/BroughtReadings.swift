import Paging

/// Which readings of a run have brought items to a text, and which of them came to no good end.
struct BroughtReadings {
  private var streams: [Int: String] = [:]
  /// Those of which all items came in this run.
  private var anew: Set<Int> = []
  private var bringing: Set<Int> = []
  private var failed: Set<Int> = []
  /// Whether anything but readings has brought items.
  private var hasOthers = false

  mutating func begin(_ beginning: StateTables.Beginning, stream: String) {
    streams[beginning.begun.id] = stream
    if beginning.begun.position == nil, beginning.write != .append { anew.insert(beginning.begun.id) }
  }

  mutating func add(_ delivery: Delivery) {
    guard let reading = delivery.reading, streams[reading] != nil else {
      hasOthers = hasOthers || delivery.itemCount > 0
      return
    }
    if delivery.itemCount > 0 { bringing.insert(reading) }
    if delivery.mark?.place == .end(isComplete: false) { failed.insert(reading) }
  }

  /// Those that came to no good end, where nothing but they, and that from their first page on, brought items to a stream's file, or
  /// to the only one; none otherwise.
  func failed(inFileOf stream: String?) -> Set<Int> {
    let bringing = bringing.filter { stream == nil || streams[$0] == stream }
    return hasOthers || !bringing.isSubset(of: failed.intersection(anew)) ? [] : bringing
  }
}
