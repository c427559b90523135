import JSON
public import Paging

/// What happened while a viewport trace was recorded: how the source was read, how long each page took, and how long the reader
/// waited. With it, the lab can play the trace and be compared with life.
///
/// ```swift
/// var reading = RecordedReading(policy: "leadingScreens(2)", options: options)
/// reading.began(request, at: start)
/// reading.landed(request.id, at: end)
/// ```
public struct RecordedReading: Sendable, Hashable {
  /// The policy by name; nil is the source's own.
  public var policy: String?
  /// Seconds that the reader waited for visible rows, from the first on.
  public var waited = 0.0
  /// How often.
  public var waits = 0
  /// Seconds from the first request of a page to its arrival, by page, from 0.
  public private(set) var latencies: [Int: Double] = [:]
  private var settings: [String: Double] = [:]
  private var keys: KeyKind
  /// Pages under way: when they were first requested.
  private var begun: [Int: Instant] = [:]
  private var pages: [FetchID: Int] = [:]
  private var base: Int64?

  /// A reading of a source with these options that has not begun.
  public init(policy: String?, options: FeedConfiguration.Options) {
    self.policy = policy
    keys = options.keys
    settings["pageSize"] = Double(options.pageSize)
    settings["leadingScreens"] = options.leadingScreens
    settings["initialPageSize"] = options.initialPageSize.map(Double.init)
    settings["prefetchDistance"] = options.prefetchDistance.map(Double.init)
    settings["maxInFlight"] = options.maxInFlight.map(Double.init)
  }

  /// How the source was read.
  public var options: FeedConfiguration.Options {
    var options = FeedConfiguration.Options()
    func whole(_ name: String) -> Int? { settings[name].map { Int(max(0, min(1e9, $0))) } }
    options.keys = keys
    options.jumpsToPlaces = keys.isCounted
    options.pageSize = whole("pageSize") ?? options.pageSize
    options.leadingScreens = settings["leadingScreens"] ?? options.leadingScreens
    options.initialPageSize = whole("initialPageSize")
    options.prefetchDistance = whole("prefetchDistance")
    options.maxInFlight = whole("maxInFlight")
    return options
  }

  /// A page was requested. Repeated attempts count as one request.
  public mutating func began(_ request: FetchRequest, at now: Instant) {
    let page = page(of: request)
    pages[request.id] = page
    begun[page] = begun[page] ?? now
  }

  /// A page arrived.
  public mutating func landed(_ id: FetchID, at now: Instant) {
    guard let page = pages.removeValue(forKey: id), let start = begun[page], latencies[page] == nil else {
      return
    }
    latencies[page] = (now - start).inSeconds
  }

  /// A request was withdrawn.
  public mutating func cancelled(_ id: FetchID) {
    if let page = pages.removeValue(forKey: id) { begun[page] = nil }
  }

  /// Counted keys say which page it is; cursors come one after the other.
  private mutating func page(of request: FetchRequest) -> Int {
    guard keys.isCounted, case .integer(let number) = request.key else {
      return request.attempt > 1 ? max(0, begun.count - 1) : begun.count
    }
    let first = base ?? number
    base = first
    let distance = Int(max(0, number - first))
    // A number of a page counts as many items as a page has.
    let unit = keys == .page ? max(1, options.pageSize) : 1
    let firstSize = options.initialPageSize.map { $0 / unit }
    return PageNumbers(ofSize: options.pageSize / unit, first: firstSize)[distance]
  }
}

extension RecordedReading {
  func write(to json: inout JSONWriter) {
    json.object {
      if let policy { $0.member("policy", policy) }
      $0.member("keys", keys.rawValue)
      for (name, value) in settings.sorted(by: { $0.key < $1.key }) { $0.member(name, value) }
      $0.member("waits", waits)
      $0.member("waited", waited)
      $0.member("latencies", latencies.sorted { $0.key < $1.key }) { json, entry in
        json.array {
          $0.integer(Int64(entry.key))
          $0.real(entry.value)
        }
      }
    }
  }

  /// Nil if it is not one.
  init?(_ json: JSONTree) {
    guard let keys = json["keys"]?.text.flatMap(KeyKind.init), let waited = json["waited"]?.number,
      let waits = json["waits"]?.number.flatMap({ Int(exactly: $0) }), 0...1e9 ~= waited, waits >= 0,
      case .list(let entries)? = json["latencies"]
    else { return nil }
    policy = json["policy"]?.text
    self.keys = keys
    (self.waited, self.waits) = (waited, waits)
    for name in ["pageSize", "leadingScreens", "initialPageSize", "prefetchDistance", "maxInFlight"] {
      settings[name] = json[name]?.number
      if let value = settings[name], !(0...1e9 ~= value) { return nil }
    }
    for case .list(let pair) in entries {
      guard pair.count == 2, let page = pair[0].number.flatMap({ Int(exactly: $0) }),
        let seconds = pair[1].number, 0...1e6 ~= seconds, page >= 0
      else { return nil }
      latencies[page] = seconds
    }
  }
}
