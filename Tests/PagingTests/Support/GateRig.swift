import Items
import Paging

/// A gate with a log of what it says.
struct GateRig {
  var gate: RequestGate
  var now = Instant.zero
  var sent: [(id: HostCallID, request: HTTPRequest)] = []
  var delivered: [HostCallID: HostReply] = [:]
  var waits: [HostCallID: Instant] = [:]
  var notes: [GateNote] = []
  private var calls = 0

  init(maxWidth: Int = 16, startedAt: Double? = nil, seed: UInt64 = 7) {
    gate = RequestGate(maxWidth: maxWidth, startedAt: startedAt, seed: seed)
  }

  private mutating func take(_ effects: [GateEffect]) {
    for effect in effects {
      switch effect {
      case .step(let id, .send(let request)): sent.append((id, request))
      case .step(let id, .wait(let time)): waits[id] = time
      case .step(let id, .deliver(let reply)): delivered[id] = reply
      case .note(let note): notes.append(note)
      }
    }
  }

  @discardableResult
  mutating func submit(_ request: HTTPRequest, _ terms: GateTerms = GateTerms()) -> HostCallID {
    calls += 1
    let id = HostCallID(number: calls)
    take(gate.submit(id, request, terms, at: now))
    return id
  }

  @discardableResult
  mutating func get(_ url: String = "https://a.example/", _ terms: GateTerms = GateTerms()) -> HostCallID {
    submit(HTTPRequest(url: url), terms)
  }

  mutating func reply(_ id: HostCallID, _ status: Int, _ headers: [HTTPHeader] = [], to target: String? = nil)
  {
    let response = HTTPResponse(status: status, headers: headers, url: "", redirectURL: target)
    take(gate.replied(id, .response(response), at: now))
  }

  mutating func fail(_ id: HostCallID, _ failure: HostFailure) {
    take(gate.replied(id, .failed(failure), at: now))
  }

  mutating func cancel(_ id: HostCallID) { take(gate.cancelled(id, at: now)) }

  mutating func sleep() {
    guard let time = gate.nextWake else { return }
    now = max(now, time)
    take(gate.woke(at: now))
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    take(gate.woke(at: now))
  }

  func status(_ id: HostCallID) -> Int? {
    if case .response(let response) = delivered[id] { response.status } else { nil }
  }

  func failure(_ id: HostCallID) -> HostFailure? {
    if case .failed(let failure) = delivered[id] { failure } else { nil }
  }
}
