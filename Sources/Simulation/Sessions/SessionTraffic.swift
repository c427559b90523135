import Paging

/// What a session has on its network: requests for pages, and for details beside them.
struct SessionTraffic {
  var network: NetworkSession
  private var details: SessionDetails?
  /// Of the fetches of an item's details, each of which has its own luck.
  private var detailAttempts: [Int: Int] = [:]
  /// Attempts at a page that failed since it came last: the next one has other luck, whether or not somebody gave up between them.
  private var failures: [Int: Int] = [:]
  /// The responses that share the link, by the network's number.
  private var underway: [Int: Coming] = [:]

  init(_ network: NetworkSession, prefetchesDetails: Bool) {
    self.network = network
    details = prefetchesDetails ? SessionDetails() : nil
  }

  /// Whether nothing shares the link.
  var isIdle: Bool { underway.isEmpty }

  /// What is under way on the shared link, in the order of the requests.
  var answers: [Coming] { underway.isEmpty ? [] : underway.sorted { $0.key < $1.key }.map(\.value) }

  /// What a response on the shared link answers, which is through.
  mutating func take(_ number: Int) -> Coming? { underway.removeValue(forKey: number) }

  /// An attempt at a page has ended.
  mutating func attemptEnded(at page: Int, _ failure: FetchFailure?) {
    guard let failure else { return failures[page] = nil }
    // What the server refuses has tried nothing.
    if failure.status != 429 { failures[page, default: 0] += 1 }
  }

  /// Sends a request for a page, as below, with the luck of its next attempt.
  mutating func send(
    page: Int, bytes: Double, _ loop: inout FeedLoop<Coming>, _ answer: (NetworkOutcome?) -> Coming
  ) {
    send(page: page, attempt: failures[page, default: 0] + 1, bytes: bytes, &loop, answer)
  }

  /// Sends a request that `answer` is made for, with its outcome where that is known already.
  private mutating func send(
    page: Int, attempt: Int, bytes: Double, _ loop: inout FeedLoop<Coming>,
    _ answer: (NetworkOutcome?) -> Coming
  ) {
    switch network.send(page: page, attempt: attempt, at: loop.now, bytes: bytes) {
    case .ends(let outcome): loop.add(answer(outcome), at: outcome.at)
    case .underway(let number): underway[number] = answer(nil)
    }
  }

  /// A request whose outcome was known has ended.
  mutating func ended(_ bytes: Double, _ outcome: NetworkOutcome?, at now: Instant) {
    if let outcome, !outcome.isCached { network.ended(at: now, bytes: outcome.failure == nil ? bytes : 0) }
  }

  /// Nobody wants these answers any more; they are returned, in order.
  mutating func cancel(_ isUnwanted: (Coming) -> Bool, _ loop: inout FeedLoop<Coming>) -> [Coming] {
    let known = loop.removeAnswers(where: isUnwanted)
    for answer in known {
      guard let (page, bytes, outcome) = answer.traffic else { continue }
      // A link that carries one response after the other carries this one as well.
      ended(network.isQueue ? bytes : 0, outcome, at: loop.now)
      network.cancel(page: page, at: loop.now)
    }
    guard !underway.isEmpty else { return known }
    let shared = underway.filter { isUnwanted($0.value) }.sorted { $0.key < $1.key }
    for (number, _) in shared {
      underway[number] = nil
      network.cancel(number, at: loop.now)
    }
    return known + shared.map(\.value)
  }

  /// Other details will be wanted soon.
  mutating func change(_ change: PrefetchRange.Change, _ loop: inout FeedLoop<Coming>) {
    carryOut(details?.change(change, at: loop.now) ?? [], &loop)
  }

  /// Details came, or failed to.
  mutating func arrive(_ attempt: DetailAttempt, _ loop: inout FeedLoop<Coming>) {
    let failure = attempt.outcome?.failure
    carryOut(details?.ended(attempt.name, item: attempt.item, failure, at: loop.now) ?? [], &loop)
  }

  /// How many of the items' details have not come; zero where none are fetched.
  func missingDetails(of items: Range<Int>) -> Int { details?.missing(of: items) ?? 0 }

  private mutating func carryOut(_ actions: [SessionDetails.Action], _ loop: inout FeedLoop<Coming>) {
    for action in actions {
      switch action {
      case .fetch(let name, let item):
        let bytes = network.network.bytesPerDetail ?? 0
        let attempt = detailAttempts[item, default: 0] + 1
        detailAttempts[item] = attempt
        let fetch = DetailAttempt(name: name, item: item, bytes: bytes, outcome: nil)
        send(page: fetch.page, attempt: attempt, bytes: bytes, &loop) {
          .details(DetailAttempt(name: name, item: item, bytes: bytes, outcome: $0))
        }
      case .cancel(let name): _ = cancel({ $0.detail == name }, &loop)
      }
    }
  }
}

/// What is to come in a session besides the feed's own wakes.
enum Coming: ComingAnswer {
  case arrival(Attempt)
  /// The gate wanted to be woken then.
  case gateWake
  /// The reader is seen to stand still, if the wait with that number is not over.
  case rest(Viewport, wait: Int)
  case details(DetailAttempt)

  var fetchID: FetchID? { if case .arrival(let attempt) = self { attempt.request.id } else { nil } }
  var detail: PrefetchID? { if case .details(let attempt) = self { attempt.name } else { nil } }

  /// The page, the bytes and the outcome of what came over the network.
  var traffic: (page: Int, bytes: Double, outcome: NetworkOutcome?)? {
    switch self {
    case .arrival(let attempt): (attempt.page, attempt.bytes, attempt.outcome)
    case .details(let attempt): (attempt.page, attempt.bytes, attempt.outcome)
    case .gateWake, .rest: nil
    }
  }
}

/// An attempt in flight, and how it is going to end.
struct Attempt: Sendable {
  let request: FetchRequest
  /// The items that were asked for, and the number of their page.
  let items: Range<Int>
  let page: Int
  /// Of the response.
  let bytes: Double
  /// Nil on a shared link, which only carries what succeeds.
  let outcome: NetworkOutcome?
  /// Its place in the timeline; less than zero without one.
  let bar: Int

  /// Nil is a page.
  var failure: FetchFailure? { outcome?.failure }
}

/// A fetch of an item's details in flight.
struct DetailAttempt: Sendable {
  let name: PrefetchID
  let item: Int
  let bytes: Double
  /// Numbers below zero are no page's.
  var page: Int { -1 - item }
  /// Nil on a shared link.
  let outcome: NetworkOutcome?
}
