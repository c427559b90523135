import Paging

/// The request gate of a run before a simulated server: failed attempts are made again as the source's rule says, and a server
/// that refuses is left alone for as long as it asks.
struct SessionGate {
  /// What is to be done about fetches, in order.
  enum Action {
    /// Sends an attempt at it.
    case attempt(FetchRequest)
    /// The fetch is over: with its page, or a failure that the gate has given up on.
    case answer(FetchRequest, FetchFailure?)
    /// Nothing may be sent before that time without an answer; then `woke`.
    case wake(at: Instant)
  }

  private struct Call {
    let request: FetchRequest
    var failure: FetchFailure?
  }

  private static let url = "http://simulated/"

  private var gate: RequestGate
  private let terms: GateTerms
  private var calls: [HostCallID: Call] = [:]
  private var announcedWake: Instant?

  init(_ configuration: FeedConfiguration) {
    gate = RequestGate(maxWidth: max(16, configuration.maxInFlight), seed: configuration.options.seed)
    var retry = configuration.options.retry
    retry.patience = nil
    // Whoever reads waits for as long as the server asks, and presses the button then.
    retry.maxWait = .seconds(Limits.seconds)
    terms = GateTerms(
      retry: retry, source: "simulated", width: configuration.findsWidth ? .automatic : nil)
  }

  mutating func submit(_ request: FetchRequest, at now: Instant) -> [Action] {
    calls[Self.call(request.id)] = Call(request: request)
    return actions(gate.submit(Self.call(request.id), HTTPRequest(url: Self.url), terms, at: now))
  }

  /// An attempt has come to its end; nil is its page.
  mutating func attemptEnded(_ id: FetchID, _ failure: FetchFailure?, at now: Instant) -> [Action] {
    calls[Self.call(id)]?.failure = failure
    return actions(gate.replied(Self.call(id), Self.reply(failure), at: now))
  }

  /// Nobody wants the answer any more; whether anybody did.
  mutating func cancel(_ id: FetchID, at now: Instant) -> (wasWanted: Bool, actions: [Action]) {
    let wasWanted = calls.removeValue(forKey: Self.call(id)) != nil
    return (wasWanted, actions(gate.cancelled(Self.call(id), at: now)))
  }

  mutating func woke(at now: Instant) -> [Action] {
    announcedWake = nil
    return actions(gate.woke(at: now))
  }

  private mutating func actions(_ effects: [GateEffect]) -> [Action] {
    var actions: [Action] = []
    for case .step(let id, let step) in effects {
      guard let call = calls[id] else { continue }
      switch step {
      case .send:
        actions.append(.attempt(call.request))
      case .deliver(let reply):
        calls[id] = nil
        actions.append(.answer(call.request, Self.failure(reply, last: call.failure)))
      case .wait: break
      }
    }
    if let next = gate.nextWake, next != announcedWake {
      announcedWake = next
      actions.append(.wake(at: next))
    }
    return actions
  }

  private static func call(_ id: FetchID) -> HostCallID { HostCallID(number: id.number) }

  /// An outcome of the network as the gate meets it.
  private static func reply(_ failure: FetchFailure?) -> HostReply {
    guard let failure else { return .response(HTTPResponse(status: 200, url: url)) }
    guard let status = failure.status else {
      return .failed(HostFailure(.timeout, failure.message, isTransient: true))
    }
    let wait = failure.retryAfter.map { [HTTPHeader("Retry-After", "\(Int($0.inSeconds))")] } ?? []
    return .response(HTTPResponse(status: status, headers: wait, url: url))
  }

  /// What a fetch handler makes of a reply: what the gate has given up on is not tried again below it.
  private static func failure(_ reply: HostReply, last failure: FetchFailure?) -> FetchFailure? {
    switch reply {
    case .failed(let failure): FetchFailure(code: failure.code.rawValue, message: failure.message)
    default: failure.map { FetchFailure(code: $0.code, message: $0.message, status: $0.status) }
    }
  }
}
