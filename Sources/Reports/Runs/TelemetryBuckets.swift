/// What happened in spans of equal length since the start of a run: never more than `most` of them, since neighbours are
/// merged and the spans become twice as long. Memory and what is drawn stay the same for a minute and for a month.
struct TelemetryBuckets: Sendable {
  /// One span.
  struct Bucket: Sendable, Equatable {
    var items = 0
    var pages = 0
    /// Partitions that were read to their end.
    var partitions = 0
    var requests = 0
    /// Answers that were errors, and requests without an answer.
    var failures = 0
    var retries = 0
    var bytes = 0
    /// Answered requests, and how long they took: together and the slowest.
    var answers = 0
    var latency = 0.0
    var slowest = 0.0
    /// The most at once.
    var inFlight = 0
    /// The most of it.
    var memory = 0

    mutating func merge(_ next: Bucket) {
      items += next.items
      pages += next.pages
      partitions += next.partitions
      requests += next.requests
      failures += next.failures
      retries += next.retries
      bytes += next.bytes
      answers += next.answers
      latency += next.latency
      slowest = max(slowest, next.slowest)
      inFlight = max(inFlight, next.inFlight)
      memory = max(memory, next.memory)
    }
  }

  /// The most spans; an even number.
  static let most = 240
  /// The length of each, in seconds: short at first, since many runs are.
  private(set) var width = 1.0 / 64
  private(set) var buckets: [Bucket] = []

  /// Changes the span of that time. Those left out since the last one stay empty, but for what has a level.
  mutating func change(at seconds: Double, _ body: (inout Bucket) -> Void) {
    let place = place(of: seconds)
    if place >= buckets.count { extend(to: place) }
    body(&buckets[place])
  }

  /// The end of the span of that time.
  func end(of seconds: Double) -> Double { (max(0, seconds) / width).rounded(.down) * width + width }

  private mutating func place(of seconds: Double) -> Int {
    let seconds = seconds.isFinite ? max(0, seconds) : 0
    while seconds / width >= Double(Self.most) { merge() }
    return Int(seconds / width)
  }

  private mutating func extend(to place: Int) {
    var level = Bucket()
    if let last = buckets.last { (level.inFlight, level.memory) = (last.inFlight, last.memory) }
    while buckets.count <= place { buckets.append(level) }
  }

  private mutating func merge() {
    width *= 2
    buckets = stride(from: 0, to: buckets.count, by: 2).map { place in
      var bucket = buckets[place]
      if place + 1 < buckets.count { bucket.merge(buckets[place + 1]) }
      return bucket
    }
  }
}

/// The last so many of a series, and how many there were.
struct LastOnes<Element: Sendable>: Sendable {
  let most: Int
  private(set) var count = 0
  private var kept: [Element] = []

  init(_ most: Int) { self.most = most }

  mutating func append(_ element: Element) {
    if kept.count < most { kept.append(element) } else { kept[count % most] = element }
    count += 1
  }

  /// Oldest first.
  var elements: [Element] {
    guard count > most else { return kept }
    let start = count % most
    return Array(kept[start...] + kept[..<start])
  }
}

/// Texts by number, each once: reasons, names. What comes beyond `most` of them is one.
struct TextNumbers: Sendable {
  let most: Int
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  init(_ most: Int) { self.most = most }

  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    guard texts.count < most else { return number(of: Self.others) }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  /// Texts as small as they are drawn.
  private static let others = "…"
}
