import Paging

/// What an earlier run has left in texts, or a reading that came to no good end.
extension SinkStreams {
  /// Has a file count no further than this run found it, where nothing came to it but what such readings brought: the next run reads
  /// them anew, and would bring it once more. What can't be taken back is refused then.
  func takeBack(_ state: TextState) throws(SinkError) {
    for (name, extent) in found where settled[name] == true {
      let readings = state.failed(inFileOf: configuration.isFolder ? name : nil)
      guard !readings.isEmpty, let stream = streams[name], stream.layout == extent.layout else { continue }
      try state.takeBack(readings)
      try state.commit([(name, extent, try stream.file.digest(at: extent.fileLength))])
    }
  }

  /// Of a file to which only half a page has come nothing counts: the next run writes it anew.
  func countNothing(of stream: any SinkStream, _ name: String) {
    guard stream.file.staged != nil else { return }
    let layout = stream.layout == nil ? nil : SinkCSV(stream.file).layout
    counting = [(name, TextState.Extent(length: 0, layout: layout))]
  }

  /// What somebody else has added to a file since it took its place would be lost as the next one does.
  func refuseAdditions(to file: SinkFile, _ name: String) throws(SinkError) {
    guard let state, let found = file.staged?.target,
      let refusal = try state.refusal(of: name, at: file.name, found)
    else { return }
    throw stop(state, refusal)
  }

  /// Keeps what a script emits before anything else says with which parameters it runs: it comes behind what an earlier run has left.
  func waits(_ delivery: Delivery) throws(SinkError) -> Bool {
    guard state == nil, delivery.step == nil, !waiting.isOver, !configuration.state.isFresh,
      let file = place.stateFile, !file.isEmpty
    else { return false }
    waiting.append(delivery)
    guard waiting.bytes <= WaitingDeliveries.mostBytes else {
      throw SinkError(HostFailure(.invalid, TextRefusal.early(configuration.path)))
    }
    return true
  }

  /// Writes what has waited, and lets nothing wait any more.
  func writeWaiting() throws(SinkError) {
    for delivery in waiting.end() { try add(delivery) }
  }
}

/// Deliveries that wait until it is known where a run goes on.
struct WaitingDeliveries {
  private var deliveries: [Delivery] = []
  private(set) var bytes = 0
  private(set) var isOver = false

  static let mostBytes = 64 << 20

  mutating func append(_ delivery: Delivery) {
    deliveries.append(delivery)
    bytes += delivery.byteCount
  }

  /// All of them.
  mutating func end() -> [Delivery] {
    defer { (deliveries, bytes, isOver) = ([], 0, true) }
    return deliveries
  }
}
