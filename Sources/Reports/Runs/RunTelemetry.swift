import Items
public import Paging

/// What a run does, as its page shows it: a value that is told what happens, as it happens, and stays small however long the
/// run is. The live page and the report of a run are drawn from it.
///
/// Times are those of the run, in whatever time that is; they never go back. What it is told is kept as it is: texts are
/// masked, cut and written where it becomes JSON.
///
/// ```swift
/// var telemetry = RunTelemetry(RunTelemetry.Facts(script: "feed.lua", program: "1.0", startedAt: 0))
/// telemetry.noted(.landed(id, received: 20, latency: .milliseconds(30)), of: "feed", at: now)
/// let json = telemetry.json(masking: mask)
/// ```
public struct RunTelemetry: Sendable {
  /// What does not change.
  public struct Facts: Sendable {
    /// The script, as the user named it.
    public var script: String
    /// The version of the program.
    public var program: String
    /// Seconds since 1970.
    public var startedAt: Double
    /// What is special about this page, in a sentence; empty is nothing.
    public var remark = ""

    public init(script: String, program: String, startedAt: Double, remark: String = "") {
      (self.script, self.program, self.startedAt, self.remark) = (script, program, startedAt, remark)
    }
  }

  /// How the run ended.
  public struct Ending: Sendable, Equatable {
    /// The exit code of the program.
    public var code: Int
    /// Why it was not done, as a person was told; empty if it was.
    public var message: String

    /// The code of a run of which only its calls are known.
    public static let unknown = -1
    /// The code of a run that a person stopped.
    static let interrupted = 130

    public init(code: Int, message: String = "") {
      self.code = code
      self.message = message.hasPrefix("error: ") ? String(message.dropFirst("error: ".count)) : message
    }
  }

  public let facts: Facts
  /// Nil while it runs.
  public private(set) var ending: Ending?
  /// The time of the last that was told.
  public private(set) var now = 0.0
  private(set) var sample = TelemetrySample()
  private(set) var buckets = TelemetryBuckets()
  private(set) var hosts = TelemetryHosts()
  private(set) var pages = TelemetryPages()
  private(set) var partitions = TelemetryPartitions()
  private(set) var workers = TelemetryWorkers()
  private(set) var sources = TextNumbers(200)
  private(set) var reasons = TextNumbers(100)
  private(set) var reasonCounts: [ReasonCount] = []
  private(set) var decisions = LastOnes<Decision>(80)
  private(set) var lines = LastOnes<Line>(80)
  private(set) var faults: [String: Fault] = [:]
  private(set) var badRequests = LastOnes<BadRequest>(40)
  private(set) var open: [Int: OpenCall] = [:]
  /// The last items of each stream, as far as they may be shown.
  private(set) var rows: [String: [Bytes]] = [:]
  /// What was delivered since the last sample: until then whole pages are held, and no longer.
  private var latest: [String: [Item]] = [:]
  /// The reason of the last decision to fetch, by source.
  private var lastReasons: [Int: Int] = [:]
  private var sampledUntil = 0.0
  private var requestsInFlight = 0

  /// Items of a delivery that are kept of each stream, and streams.
  static let mostRows = 5
  private static let mostStreams = 100
  private static let mostFaults = 60

  /// A run that has not begun.
  public init(_ facts: Facts) { self.facts = facts }

  /// When the counts are to be sampled again.
  public var sampleDue: Double { sampledUntil }

  /// Items that there will be in the end. Of a source that is read in partitions only those know that are read now.
  var expected: Int? { pages.hasPartitions ? nil : sample.expected }

  /// Takes the counts of now, for what has happened since the last sample.
  public mutating func sampled(_ sample: TelemetrySample, at now: Double) {
    self.now = max(self.now, now)
    let (counts, last) = (sample.statistics, self.sample.statistics)
    buckets.change(at: self.now) {
      $0.items += max(0, counts.items - last.items)
      $0.pages += max(0, counts.pages - last.pages)
      $0.partitions += max(0, counts.partitions.doneNow - last.partitions.doneNow)
      $0.requests += max(0, counts.requests - last.requests)
      $0.bytes += max(0, counts.bytesReceived - last.bytesReceived)
      $0.retries += max(0, counts.retries - last.retries)
      $0.memory = max($0.memory, sample.memory)
      if !workers.isEmpty { $0.inFlight = max($0.inFlight, counts.inFlight) }
    }
    for (stream, items) in latest { rows[stream] = items.suffix(Self.mostRows).map(Self.beginning) }
    latest.removeAll(keepingCapacity: true)
    self.sample = sample
    sampledUntil = buckets.end(of: self.now)
  }

  /// The run is over.
  public mutating func ended(_ ending: Ending) {
    self.ending = ending
    if !ending.message.isEmpty, ending.code != Ending.interrupted {
      note(fault: ending.message, place: "", at: now)
    }
  }
}

/// What happens in the machine.
extension RunTelemetry {
  /// A fetch handler is called.
  public mutating func fetching(_ request: FetchRequest, of source: String, at now: Instant) {
    let seconds = pass(to: now)
    let source = sources.number(of: source)
    pages.started(request, of: source, reason: lastReasons[source] ?? -1, at: seconds)
  }

  /// A note of a source's machine.
  public mutating func noted(_ note: Note, of source: String, at now: Instant) {
    let seconds = pass(to: now)
    let source = sources.number(of: source)
    switch note {
    case .decided(let view, let verdict): decided(view, verdict, source, at: seconds)
    case .landed(let id, let received, let latency):
      pages.ended(id, of: source, .landed, items: received, latency: latency.inSeconds, at: seconds)
    case .retrying(let id, _, _, _): pages.ended(id, of: source, .retried, at: seconds)
    case .gaveUp(let id, let failure):
      pages.ended(id, of: source, .gaveUp, at: seconds)
      self.note(fault: failure.message, place: "", at: seconds)
    case .cancelled(let id): pages.ended(id, of: source, .cancelled, at: seconds)
    case .threwAwayLateAnswer(let id), .threwAwayPastEnd(let id), .endedPastTotal(let id, _):
      pages.ended(id, of: source, .thrownAway, at: seconds)
    case .clamped, .delivered, .fillsGap, .learnedPageSize, .stopped, .endedBelowTotal, .disagreedWithTotal,
      .exhausted, .dropped, .refreshing, .replaced, .keptAll,
      .edited:
      break
    }
  }

  private mutating func decided(_ view: PolicyView, _ verdict: Verdict, _ source: Int, at seconds: Double) {
    let reason = reasons.number(of: verdict.reason)
    while reasonCounts.count <= reason { reasonCounts.append(ReasonCount()) }
    if verdict.fetch > 0 {
      reasonCounts[reason].yes += 1
      lastReasons[source] = reason
    } else {
      reasonCounts[reason].no += 1
    }
    decisions.append(
      Decision(
        time: seconds, source: source, direction: view.direction, fetch: verdict.fetch, reason: reason,
        remaining: view.remainingItems, inFlight: view.inFlight))
  }

  /// A note of the gate for requests.
  public mutating func noted(_ note: GateNote, at now: Instant) {
    _ = pass(to: now)
    switch note {
    case .unavailable(let host, let reason, _): hosts[hosts.number(of: host)].trouble = reason
    case .available(let host): hosts[hosts.number(of: host)].trouble = nil
    case .retrying, .redirected, .closed, .narrowed: break
    }
  }

  /// What is told of a run that several processes do.
  public mutating func heard(_ news: TelemetryNews, at now: Instant) {
    let seconds = pass(to: now)
    if case .logged(let level, let message) = news { return logged(level: level, message) }
    if case .failed(let id, let message) = news {
      note(fault: message, place: "", at: seconds)
      lines.append(Line(time: seconds, level: "error", text: Self.bounded("\(id): \(message)")))
    }
    workers.heard(news, &partitions, at: seconds)
  }

  /// A log line of the script or of the run.
  public mutating func logged(level: String, _ text: String) {
    let seconds = now
    let text = Self.bounded(text)
    lines.append(Line(time: now, level: level, text: text))
    if level == "error" || level == "warn", let (place, rest) = Self.place(in: text) {
      note(fault: rest, place: place, at: seconds)
    }
  }
}

/// What goes out and comes in.
extension RunTelemetry {
  /// A host call was made.
  public mutating func called(_ id: HostCallID, _ call: TelemetryCall, at now: Instant) {
    let seconds = pass(to: now)
    var opened = OpenCall(call: call, start: seconds)
    switch call {
    case .request(_, let url):
      let host = hosts.number(ofURL: url)
      hosts[host].requests += 1
      hosts[host].inFlight += 1
      opened.host = host
      requestsInFlight += 1
      buckets.change(at: seconds) { $0.inFlight = max($0.inFlight, requestsInFlight) }
    case .begin(let source, let partition), .read(let source, let partition):
      partitions.began(id.number, source: source, partition: partition)
    case .delivery, .sleep, .other: break
    }
    open[id.number] = opened
  }

  /// A host call was answered; `place` is the line of the script that waits for the answer.
  public mutating func answered(_ id: HostCallID, _ reply: TelemetryReply, place: String, at now: Instant) {
    let seconds = pass(to: now)
    guard let call = open.removeValue(forKey: id.number) else { return }
    switch reply {
    case .response(let status, let bytes): responded(call, status, bytes, place, at: seconds)
    case .begun(let reading, let isDone): partitions.opened(id.number, reading: reading, isDone: isDone)
    case .failed(let message):
      partitions.ended(id.number, failed: true)
      if case .request = call.call { lost(call, message, place, at: seconds) }
      note(fault: message, place: place, at: seconds)
    case .done: partitions.ended(id.number, failed: false)
    }
  }

  /// A host call is no longer wanted.
  public mutating func cancelled(_ id: HostCallID, at now: Instant) {
    _ = pass(to: now)
    guard let call = open.removeValue(forKey: id.number), call.host >= 0 else { return }
    hosts[call.host].inFlight -= 1
    requestsInFlight -= 1
  }

  /// Items were given to the output.
  public mutating func delivered(_ delivery: Delivery) {
    if let mark = delivery.mark, mark.place.isEnd, let reading = delivery.reading {
      partitions.finished(reading: reading)
    }
    guard !delivery.items.isEmpty else { return }
    let stream = delivery.stream ?? ""
    guard rows[stream] != nil || latest[stream] != nil || rows.count + latest.count < Self.mostStreams
    else {
      return
    }
    latest[stream] = delivery.items
  }

  private mutating func responded(
    _ call: OpenCall, _ status: Int, _ bytes: Int, _ place: String, at seconds: Double
  ) {
    guard case .request(let method, let url) = call.call else { return }
    let length = seconds - call.start
    hosts.answered(call.host, status: status, bytes: bytes, after: length)
    requestsInFlight -= 1
    buckets.change(at: seconds) {
      $0.answers += 1
      $0.latency += length
      $0.slowest = max($0.slowest, length)
      if status >= 400 { $0.failures += 1 }
    }
    guard status >= 400 else { return }
    let message = "HTTP \(status)"
    badRequests.append(
      BadRequest(
        time: seconds, method: method, url: Self.bounded(url), status: status, length: length,
        message: message,
        place: place))
    note(fault: message, place: place, at: seconds)
  }

  private mutating func lost(_ call: OpenCall, _ message: String, _ place: String, at seconds: Double) {
    guard case .request(let method, let url) = call.call else { return }
    hosts[call.host].inFlight -= 1
    hosts[call.host].losses += 1
    requestsInFlight -= 1
    buckets.change(at: seconds) { $0.failures += 1 }
    badRequests.append(
      BadRequest(
        time: seconds, method: method, url: Self.bounded(url), status: 0, length: seconds - call.start,
        message: Self.bounded(message),
        place: place))
  }
}

extension RunTelemetry {
  private mutating func pass(to instant: Instant) -> Double {
    now = max(now, instant.seconds)
    return now
  }

  private mutating func note(fault message: String, place: String, at seconds: Double) {
    let (place, message) = place.isEmpty ? Self.place(in: message) ?? ("", message) : (place, message)
    if faults[place] == nil, faults.count >= Self.mostFaults,
      let oldest = faults.min(by: { $0.value.time < $1.value.time })?.key
    {
      faults[oldest] = nil
    }
    faults[place, default: Fault()].count += 1
    faults[place]?.message = Self.bounded(message)
    faults[place]?.time = seconds
  }

  /// What is read of a text or a row to find secrets in it that begin in what is shown.
  private static let window = 16_384

  /// No text of a script or server is held as a whole.
  private static func bounded(_ text: String) -> String {
    text.utf8.count <= window ? text : String(decoding: text.utf8.prefix(window), as: UTF8.self)
  }

  private static func beginning(of item: Item) -> Bytes {
    item.bytes[0..<min(item.bytes.count, window)].withUnsafeBytes { Bytes(copying: $0) }
  }

  /// The line of a script that a message begins with, and the rest of it: `feed.lua:12: no items`.
  private static func place(in message: String) -> (String, String)? {
    let message = message.hasPrefix("error: ") ? String(message.dropFirst(7)) : message
    guard let end = message.firstRange(of: ": ")?.lowerBound else { return nil }
    let place = message[..<end]
    guard let colon = place.lastIndex(of: ":"), !place.contains(" "),
      !place[place.index(after: colon)...].isEmpty, place[place.index(after: colon)...].allSatisfy(\.isNumber)
    else { return nil }
    return (String(place), String(message[end...].dropFirst(2)))
  }
}
