/// A link whose bandwidth is shared equally by the responses on it at any time, as by the streams of HTTP/2: when one more begins, all
/// others take longer.
struct FairLink {
  private let capacity: any Capacity
  /// Responses that have not begun: the server is still at work.
  private var coming: [(ready: Double, id: Int, bytes: Double)] = []
  /// Responses on the link, and the service at which each is through.
  private var active: [(id: Int, end: Double, bytes: Double)] = []
  /// Bytes that the link has carried for each response that was on it all the time.
  private var service = 0.0
  private var time = 0.0
  /// Bytes that the link could have carried by then.
  private var carried = 0.0
  /// When the next response begins or is through; nil if there is none.
  private(set) var nextTime: Double?
  /// Whether one is through then.
  private var isNextEnd = false

  init(_ capacity: any Capacity) {
    self.capacity = capacity
    carried = capacity.bytes(until: 0)
  }

  /// A response of `bytes` that begins at `ready`.
  mutating func add(_ id: Int, _ bytes: Double, from ready: Double) {
    coming.append((max(ready, time), id, max(0, bytes)))
    if !isNextEnd || coming[coming.count - 1].ready < nextTime ?? .infinity { findNext() }
  }

  /// Finds what happens next, unless more begins before.
  private mutating func findNext() {
    let begin = coming.lazy.map(\.ready).min()
    let end = active.lazy.map(\.end).min().map { least in
      max(time, capacity.time(carrying: carried + max(0, least - service) * Double(active.count)))
    }
    isNextEnd = end.map { $0 <= begin ?? .infinity } ?? false
    nextTime = isNextEnd ? end : begin
  }

  /// Goes on to that time; the responses that are through by then, in the order in which they are.
  mutating func advance(to now: Double) -> [Int] {
    var through: [Int] = []
    while let next = nextTime, next <= now {
      move(to: next)
      // Whatever the rounding, it is through now.
      if isNextEnd, let least = active.lazy.map(\.end).min() { service = max(service, least) }
      for entry in coming where entry.ready <= next {
        active.append((entry.id, service + entry.bytes, entry.bytes))
      }
      coming.removeAll { $0.ready <= next }
      through += active.filter { $0.end <= service }.map(\.id)
      active.removeAll { $0.end <= service }
      findNext()
    }
    move(to: max(now, time))
    return through
  }

  /// Nobody wants a response any more; what was carried of it, in bytes.
  mutating func cancel(_ id: Int, at now: Double) -> Double {
    move(to: max(now, time))
    coming.removeAll { $0.id == id }
    defer { findNext() }
    guard let place = active.firstIndex(where: { $0.id == id }) else { return 0 }
    let response = active.remove(at: place)
    return max(0, response.bytes - (response.end - service))
  }

  private mutating func move(to now: Double) {
    guard now != time else { return }
    let then = capacity.bytes(until: now)
    if !active.isEmpty { service += (then - carried) / Double(active.count) }
    (time, carried) = (now, then)
  }
}
