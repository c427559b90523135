public import Items
import Lua
import Paging

/// Details of the rows that a person sees, or is about to.
extension Workflow {
  /// The details of the item at a place, as JSON; nil while they are not there, and where the source fetches none.
  public func browsedDetails(at place: Int) -> Bytes? {
    guard let reader = browsedReader, let owner = reader.details?.prefetcher,
      let start = reader.browsing?.places.start,
      let id = reader.feed.items[place - start]?.id, let details = owner.prefetcher.peek(id)
    else { return nil }
    state.stack.push(details)
    defer { state.stack.pop() }
    return try? state.stack.withJSON(at: -1) { Bytes(copying: $0) }
  }

  /// The person sees other rows, or other rows are there: their details are prefetched, those of rows that were rushed past
  /// are not. Rows are places, which stay as they are when far ones are let go.
  func lookAround(_ reader: FeedReader) {
    guard reader.details != nil, let places = reader.browsing?.places, let seen = places.wanted else {
      return
    }
    let reach = RangeTuning.standard[.preload, .full]
    let isBack = seen.velocity < 0
    let before = Int(seen.length * (isBack ? reach.leading : reach.trailing))
    let after = Int(seen.length * (isBack ? reach.trailing : reach.leading))
    let visible = seen.firstVisible..<max(seen.firstVisible, seen.lastVisible + 1)
    let position = PrefetchRange.Position(
      visible: visible, preload: visible.lowerBound - before..<visible.upperBound + after,
      velocity: seen.velocity, latency: reader.feed.latency.mean)
    let items = reader.feed.items
    look(reader, at: position) { items[$0 - places.start]?.id }
  }
}
