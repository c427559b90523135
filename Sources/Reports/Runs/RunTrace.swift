public import Paging

/// What a run does as spans, for collectors of traces (OpenTelemetry): one of the whole run, and below it one of each request,
/// each page and each decision. Spans that are over wait here until they are sent; what comes beyond `most` is counted only.
public struct RunTrace: Sendable {
  enum Kind: Int, Sendable {
    case `internal` = 1
    case client = 3
  }

  enum Attribute: Sendable {
    case text(String)
    case url(String)
    case integer(Int)
  }

  struct Span: Sendable {
    let id: UInt64
    let name: String
    let kind: Kind
    let start: Double
    let end: Double
    let attributes: [(String, Attribute)]
    /// Why it is an error; nil if it is none.
    let fault: String?
  }

  private struct OpenRequest: Sendable {
    let method: String
    let url: String
    let start: Double
  }

  private struct PageName: Hashable, Sendable {
    let source: String
    let id: FetchID
  }

  private struct OpenPage: Sendable {
    let request: FetchRequest
    let start: Double
  }

  /// Spans that wait to be sent, at most.
  private static let most = 4_096
  let traceID: (UInt64, UInt64)
  let rootID: UInt64
  private(set) var spans: [Span] = []
  /// Spans that were never sent.
  private(set) var dropped = 0
  private var ids: RandomStream
  private var requests: [Int: OpenRequest] = [:]
  private var pages: [PageName: [OpenPage]] = [:]

  /// The trace of a run; its numbers follow from the seed.
  public init(seed: UInt64) {
    ids = RandomStream(seed: seed, "trace")
    traceID = (ids.next() | 1, ids.next())
    rootID = ids.next() | 1
  }

  /// Whether nothing waits to be sent.
  public var isEmpty: Bool { spans.isEmpty }

  /// Takes what waits to be sent.
  mutating func take() -> [Span] {
    defer { spans = [] }
    return spans
  }

  private mutating func add(
    _ name: String, _ kind: Kind, _ start: Double, _ end: Double, _ attributes: [(String, Attribute)],
    fault: String? = nil
  ) {
    guard spans.count < Self.most else { return dropped += 1 }
    spans.append(
      Span(
        id: ids.next() | 1, name: name, kind: kind, start: start, end: end, attributes: attributes,
        fault: fault))
  }
}

/// What it is told.
extension RunTrace {
  public mutating func called(_ id: HostCallID, _ call: TelemetryCall, at now: Instant) {
    guard case .request(let method, let url) = call, requests.count < Self.most else { return }
    requests[id.number] = OpenRequest(method: method, url: url, start: now.seconds)
  }

  public mutating func answered(_ id: HostCallID, _ reply: TelemetryReply, at now: Instant) {
    guard let request = requests.removeValue(forKey: id.number) else { return }
    var attributes: [(String, Attribute)] = [
      ("http.request.method", .text(request.method)), ("url.full", .url(request.url)),
    ]
    var fault: String?
    switch reply {
    case .response(let status, let bytes):
      attributes.append(("http.response.status_code", .integer(status)))
      attributes.append(("http.response.body.size", .integer(bytes)))
      if status >= 400 { fault = "HTTP \(status)" }
    case .failed(let message): fault = message
    case .begun, .done: break
    }
    add(request.method, .client, request.start, now.seconds, attributes, fault: fault)
  }

  public mutating func cancelled(_ id: HostCallID, at now: Instant) {
    guard let request = requests.removeValue(forKey: id.number) else { return }
    add(
      request.method, .client, request.start, now.seconds,
      [("http.request.method", .text(request.method)), ("url.full", .url(request.url))], fault: "cancelled")
  }

  public mutating func fetching(_ request: FetchRequest, of source: String, at now: Instant) {
    guard pages.count < Self.most else { return }
    pages[PageName(source: source, id: request.id), default: []].append(
      OpenPage(request: request, start: now.seconds))
  }

  public mutating func noted(_ note: Note, of source: String, at now: Instant) {
    switch note {
    case .decided(let view, let verdict):
      add(
        "decide", .internal, now.seconds, now.seconds,
        [
          ("lookahead.source", .text(source)), ("lookahead.fetch", .integer(verdict.fetch)),
          ("lookahead.reason", .text(verdict.reason)),
          ("lookahead.direction", .text(view.direction.rawValue)),
          ("lookahead.items_ahead", .integer(view.remainingItems)),
          ("lookahead.pages_in_flight", .integer(view.inFlight)),
        ])
    case .landed(let id, let received, let latency):
      ended(id, source, at: now.seconds, start: now.seconds - latency.inSeconds, items: received)
    case .retrying(let id, let failure, _, _), .gaveUp(let id, let failure):
      ended(id, source, at: now.seconds, fault: failure.message)
    case .cancelled(let id): ended(id, source, at: now.seconds, fault: "cancelled")
    case .threwAwayLateAnswer(let id), .threwAwayPastEnd(let id), .endedPastTotal(let id, _):
      ended(id, source, at: now.seconds)
    case .clamped, .delivered, .fillsGap, .learnedPageSize, .stopped, .endedBelowTotal, .disagreedWithTotal,
      .exhausted, .dropped, .refreshing, .replaced, .keptAll,
      .edited:
      break
    }
  }

  private mutating func ended(
    _ id: FetchID, _ source: String, at now: Double, start: Double? = nil, items: Int? = nil,
    fault: String? = nil
  ) {
    let name = PageName(source: source, id: id)
    guard var open = pages.removeValue(forKey: name) else { return }
    let place = start.flatMap { start in
      open.indices.min { abs(open[$0].start - start) < abs(open[$1].start - start) }
    }
    let page = open.remove(at: place ?? 0)
    if !open.isEmpty { pages[name] = open }
    var attributes: [(String, Attribute)] = [
      ("lookahead.source", .text(source)), ("lookahead.page", .integer(id.number)),
      ("lookahead.direction", .text(page.request.direction.rawValue)),
      ("lookahead.attempt", .integer(page.request.attempt)),
    ]
    if let items { attributes.append(("lookahead.items", .integer(items))) }
    add("fetch", .internal, page.start, now, attributes, fault: fault)
  }

  /// The run is over: so are the pages that were under way, and the span of the whole.
  public mutating func ended(_ telemetry: RunTelemetry) {
    let ending = telemetry.ending
    spans.append(
      Span(
        id: rootID, name: "run", kind: .internal, start: 0, end: telemetry.now,
        attributes: [
          ("lookahead.items", .integer(telemetry.sample.statistics.items)),
          ("lookahead.exit_code", .integer(ending?.code ?? 0)),
          ("lookahead.dropped_spans", .integer(dropped)),
        ], fault: ending.flatMap { $0.code == 0 ? nil : $0.message }))
  }
}
