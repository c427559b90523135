import Paging

/// A note as a browser's trace viewer shows it: a fetch is a bar, a decision or retry a mark; times in microseconds.
struct ViewerEvent {
  let text: String

  /// Nil for what a viewer has no picture of.
  init?(_ note: Note, source: String, at: Instant) {
    var line = JSONLine()
    switch note {
    case .landed(let id, let received, let latency):
      line.add("name", "fetch \(id.number): \(received) items")
      line.add("ph", "X")
      line.add("ts", (at.seconds - latency.inSeconds) * 1e6)
      line.add("dur", latency.inSeconds * 1e6)
      line.add("tid", 1 + id.number % 16)
    case .decided(_, let verdict):
      line.mark("fetch \(verdict.fetch): \(verdict.reason)", at)
    case .retrying(let id, let failure, let attempt, _):
      line.mark("fetch \(id.number), attempt \(attempt): \(failure.message)", at)
    case .gaveUp(let id, let failure):
      line.mark("gave up fetch \(id.number): \(failure.message)", at)
    case .exhausted: line.mark("the end", at)
    default: return nil
    }
    line.add("pid", source)
    text = line.text
  }

  /// What happened on the way of a request.
  init(_ note: GateNote, at: Instant) {
    var line = JSONLine()
    switch note {
    case .retrying(_, let attempt, _, let reason): line.mark("attempt \(attempt): \(reason)", at)
    case .redirected(_, let to, _): line.mark("redirected to \(to)", at)
    case .closed(let host, let until):
      line.add("name", "\(host) asked to wait")
      line.add("ph", "X")
      line.add("ts", at.seconds * 1e6)
      line.add("dur", (until - at).inSeconds * 1e6)
      line.add("tid", 0)
    case .narrowed(let host, let width): line.mark("\(host): at most \(width) at once", at)
    }
    line.add("pid", "http")
    text = line.text
  }
}

extension JSONLine {
  /// Makes it a point in time with a name.
  mutating func mark(_ name: String, _ at: Instant) {
    add("name", name)
    add("ph", "i")
    add("s", "t")
    add("ts", at.seconds * 1e6)
    add("tid", 0)
  }
}
