import Hosting
import Paging

/// Takes items and writes none: a dry run leaves its output alone.
final class EmptySink: Sink {
  func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) { reply(.done) }

  func finish(_ ending: SinkEnding) -> SinkReport { SinkReport() }
}
