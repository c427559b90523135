internal import Items

/// How many pages of one side may be in flight: as many as somebody has said, or, where the gate finds it out, as many as there may
/// be to a host and no more than memory allows.
struct PageWidth: Sendable {
  private let most: Int32
  private let isFound: Bool
  /// Bytes of the largest landed page.
  private var largest: Int32 = 1

  init(_ configuration: FeedConfiguration) {
    most = Int32(clamping: configuration.maxInFlight)
    isFound = configuration.findsWidth
  }

  /// Pages in flight at most; four times as many may wait for their turn. It is the usual number for pages so large that those
  /// that wait would take up more than `Limits.waitingBytes`.
  var pages: Int {
    guard isFound else { return Int(most) }
    return min(Int(most), max(Limits.usualInFlight, Limits.waitingBytes / (4 * Int(largest))))
  }

  /// The same while nobody knows how long the list is: beyond the usual number no more than have landed.
  func beforeTotal(landed: Int) -> Int {
    isFound ? min(pages, max(Limits.usualInFlight, landed)) : pages
  }

  /// Pages that a forward reader is about to need. Where the number is found out they are no more than it has read, so that one
  /// that is slow, or stops early, has not had many fetched in vain.
  func ahead(ofReaderBehind pagesRead: Int) -> Int {
    isFound ? min(pages, max(Limits.usualInFlight, pagesRead)) : pages
  }

  /// Learns the size of a landed page.
  mutating func learn(from shown: [Item], _ items: [Item]) {
    guard isFound else { return }
    let bytes = [shown, items].reduce(0) { sum, items in items.reduce(sum) { $0.clampedSum($1.bytes.count) } }
    largest = max(largest, Int32(clamping: bytes))
  }
}
