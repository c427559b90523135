import Paging
import Testing

/// A host in virtual time, and a gate that brings it calls whose number in flight is found out.
struct SimulatedHost {
  /// What the host is like.
  struct Nature {
    var latency = Duration.milliseconds(20)
    /// A further part, drawn evenly up to this.
    var jitter = Duration.zero
    /// So many requests are worked on at a time, each for its latency; the others wait for their turn. Nil is all.
    var workers: Int?
    /// Requests beyond so many in flight are refused.
    var mostAtOnce: Int?
    /// Requests beyond so many within a second are refused.
    var perSecond: Int?
    /// Every so manyth request loses its connection.
    var dropsEvery: Int?
    /// What a refusal asks for.
    var retryAfter = 1
    /// Requests that come one by one, as those of a script that needs each answer for the next.
    var oneByOne = false
  }

  /// What came of it.
  struct Outcome {
    var answers: [HostCallID: Int] = [:]
    var failures = 0
    var requests = 0
    var refused = 0
    /// Requests in flight after each was sent, in the order of sending.
    var company: [Int] = []
    var seconds = 0.0

    /// The most in flight while the last part of the requests was sent.
    func most(inLast part: Double) -> Int {
      company.suffix(max(1, Int(Double(company.count) * part))).max() ?? 0
    }
  }

  private struct Flight: Sendable {
    let id: HostCallID
    let reply: HostReply
  }

  private let nature: Nature
  private let terms: GateTerms
  private var gate: RequestGate
  private var random: RandomStream
  private var now = Instant.zero
  private var flights = Timeline<Flight>()
  private var atWork = 0
  private var inFlight = 0
  private var freeAt: [Instant]
  private var accepted: [Instant] = []
  private var outcome = Outcome()

  init(_ nature: Nature, width: Width? = .automatic, seed: UInt64 = 1) {
    self.nature = nature
    terms = GateTerms(retry: RetryRule(count: 1000, patience: nil), width: width)
    let most = if case .pages(let pages) = width { pages } else { 16 }
    gate = RequestGate(maxWidth: most, seed: seed)
    random = RandomStream(seed: seed)
    freeAt = Array(repeating: .zero, count: nature.workers ?? 0)
  }

  /// Has so many calls answered, the first of them alone, as the first page of a list is.
  static func read(_ calls: Int, from nature: Nature, width: Width? = .automatic, seed: UInt64 = 1) -> Outcome
  {
    var host = SimulatedHost(nature, width: width, seed: seed)
    return host.read(calls)
  }

  private mutating func read(_ calls: Int) -> Outcome {
    var submitted = 0
    func wanted(_ done: Int) -> Int { nature.oneByOne ? done + 1 : done == 0 ? 1 : calls }
    while outcome.answers.count + outcome.failures < calls {
      let done = outcome.answers.count + outcome.failures
      while submitted < min(calls, wanted(done)) {
        submitted += 1
        let request = HTTPRequest(url: "http://host/\(submitted)")
        take(gate.submit(HostCallID(number: submitted), request, terms, at: now))
      }
      guard let time = [flights.nextTime, gate.nextWake].compactMap({ $0 }).min() else {
        Issue.record("nothing is to come after \(done) calls")
        break
      }
      now = max(now, time)
      if let next = flights.next, next.at <= now {
        flights.removeFirst()
        end(next.event)
      } else {
        take(gate.woke(at: now))
      }
    }
    outcome.seconds = now.seconds
    return outcome
  }

  private mutating func end(_ flight: Flight) {
    inFlight -= 1
    if case .response(let response) = flight.reply, response.status == 200 { atWork -= 1 }
    take(gate.replied(flight.id, flight.reply, at: now))
  }

  private mutating func take(_ effects: [GateEffect]) {
    for case .step(let id, let step) in effects {
      switch step {
      case .send: send(id)
      case .deliver(.response): outcome.answers[id, default: 0] += 1
      case .deliver: outcome.failures += 1
      case .wait: break
      }
    }
  }

  private mutating func send(_ id: HostCallID) {
    outcome.requests += 1
    inFlight += 1
    outcome.company.append(inFlight)
    if let every = nature.dropsEvery, outcome.requests % every == 0 {
      let failure = HostFailure(.network, "the connection was reset", isTransient: true)
      return fly(id, .failed(failure), until: now + nature.latency)
    }
    accepted.removeAll { $0 <= now + .seconds(-1) }
    if accepted.count >= nature.perSecond ?? .max || atWork >= nature.mostAtOnce ?? .max {
      outcome.refused += 1
      let headers = [HTTPHeader("Retry-After", "\(nature.retryAfter)")]
      let response = HTTPResponse(status: 429, headers: headers, url: "")
      return fly(id, .response(response), until: now + .milliseconds(1))
    }
    accepted.append(now)
    atWork += 1
    let work = nature.latency + nature.jitter * random.unit()
    fly(id, .response(HTTPResponse(status: 200, url: "")), until: turn(at: now) + work)
    if let first = freeAt.indices.min(by: { freeAt[$0] < freeAt[$1] }) {
      freeAt[first] = max(freeAt[first], now) + work
    }
  }

  /// When the work on a request begins.
  private func turn(at now: Instant) -> Instant { max(now, freeAt.min() ?? now) }

  private mutating func fly(_ id: HostCallID, _ reply: HostReply, until time: Instant) {
    flights.add(Flight(id: id, reply: reply), at: time)
  }
}
