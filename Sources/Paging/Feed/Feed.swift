public import Items

/// One source read through one viewport: told what happened and when, it says what to do.
///
/// A value without clock, threads or I/O. It decides again after every event, once per event. Equal events at
/// equal times give equal effects.
public struct Feed {
  /// How the source is read.
  public let configuration: FeedConfiguration
  /// May be exchanged at any time; the new one is asked from the next event on.
  public var policy: any FetchPolicy
  /// What is held, pages in their order.
  public internal(set) var items = ItemSet()
  /// What the reader sees; nil until told, and nothing is fetched ahead before.
  public internal(set) var viewport: Viewport?
  /// Items that the source has, by its newest word.
  public internal(set) var totalCount: Int?
  /// Raised by every refresh and cancel.
  public internal(set) var generation = 1
  /// Of the newest change set.
  public internal(set) var revision = 0
  /// The newest revision that the reader has taken.
  public internal(set) var appliedRevision = 0
  /// What was done so far.
  public internal(set) var statistics = FeedStatistics()

  var now = Instant.zero
  var effects: [Effect] = []
  /// For appending and prepending, by `Direction.lane`.
  var pagers: [Pager]
  /// What the pagers come to, until something changes them.
  var standings: [Standing]?
  var plan: KeyPlan
  var heldPages = HeldPages()
  /// The first page of the generation has replaced what was held before.
  var hasBegun = false
  var isPaused = false
  /// The new generation, while the one before it is shown.
  var gathering: Gathering?
  /// What the caller changed while fetches were under way.
  var memory = EditMemory()
  var latencies = LatencyWindow()
  var yields = YieldWindow()
  var errorStreak = 0
  var random: RandomStream
  var announcedWake: Instant?

  public init(configuration: FeedConfiguration, policy: any FetchPolicy) {
    self.configuration = configuration
    self.policy = policy
    plan = KeyPlan(configuration)
    random = RandomStream(seed: configuration.options.seed)
    pagers = Feed.pagers(configuration, from: configuration.firstKey)
    totalCount = configuration.options.knownTotal
  }

  /// Takes one event; the effects are to be carried out in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    self.now = now
    take(event)
    let isOnlyMove = event.isMove && !isDue
    if !isOnlyMove {
      standings = nil
      expire()
      startWaiting()
      replaceWhenGathered()
    }
    if gathering != nil { gather() } else if decides(after: event) { decide() }
    // Most moves lead to nothing: then everything else is as it was.
    if isOnlyMove, effects.isEmpty { return [] }
    noteExhaustion()
    forgetEdits()
    announceWake()
    let result = effects
    effects = []
    standings = nil
    return result
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .viewportMoved(let viewport): move(viewport)
    case .appended(let id, let items, let received): show(items, received: received, by: id)
    case .outlined(let id, let page): outline(page, of: id)
    case .answered(let id, let answer): take(answer, to: id)
    case .endedWithoutCompleting(let id): take(.failed(.notCompleted), to: id)
    case .applied(let revision): appliedRevision = max(appliedRevision, revision)
    case .refreshed(let point): refresh(point)
    case .edited(let edit): self.edit(edit)
    case .retried: retry()
    case .cancelled: cancelAll()
    case .woke: announcedWake = nil
    case .memoryShort: shrink()
    }
  }

  private func decides(after event: Event) -> Bool {
    switch event {
    case .appended, .answered, .endedWithoutCompleting: configuration.options.rechecksOnCompletion
    case .viewportMoved, .outlined, .applied, .refreshed, .edited, .retried, .cancelled, .woke, .memoryShort:
      true
    }
  }
}

extension Feed {
  /// What one side is doing; `.refresh` is the side of `.append`.
  public func state(of direction: Direction) -> FetchState {
    pagers[direction.lane].state(total: totalCount, plan: plan)
  }

  /// Whether no page is in flight, waiting for its turn or for its next attempt.
  public var isQuiet: Bool { pagers[0].slots.isEmpty && pagers[1].slots.isEmpty }

  /// Latencies of the last fetches.
  public var latency: LatencySummary { latencies.summary }
}

extension Feed {
  static func pagers(_ configuration: FeedConfiguration, from key: PageKey?) -> [Pager] {
    [
      Pager(side: .append, configuration: configuration, frontier: .first(key)),
      Pager(side: .prepend, configuration: configuration, frontier: .end),
    ]
  }
}

extension Direction {
  /// The pager that serves it.
  var lane: Int { self == .prepend ? 1 : 0 }
}
