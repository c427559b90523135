import Items
import Lua
import Paging

/// HTTP calls on their way through the gate: attempts are host calls of their own.
extension Workflow {
  func send(_ id: HostCallID, _ request: HTTPRequest, for task: ScriptTask) {
    let settings = task.settings
    let terms = GateTerms(retry: settings.retry, rate: settings.rate, source: settings.source)
    carryOut(gate.submit(id, request, terms, at: now))
  }

  /// The reply to an attempt: for the call, or a reason to try again.
  func attemptReplied(_ attempt: HostCallID, _ reply: HostReply) {
    guard let id = attempts.removeValue(forKey: attempt) else { return }
    if case .response(let response) = reply { statistics.bytesReceived += response.body.count }
    carryOut(gate.replied(id, reply, at: now))
  }

  func gateWoke() { carryOut(gate.woke(at: now)) }

  func gateForget(_ id: HostCallID) { carryOut(gate.cancelled(id, at: now)) }

  private func carryOut(_ effects: [GateEffect]) {
    for effect in effects {
      switch effect {
      case .note(let note):
        if case .retrying = note { statistics.retries += 1 }
        options.observe(.gateNoted(note, at: now))
      case .step(let id, .send(let request)):
        let attempt = HostCallID(number: nextNumber())
        attempts[attempt] = id
        statistics.requests += 1
        self.effects.append(.call(attempt, .http(request)))
      case .step(_, .wait): break
      case .step(let id, .deliver(let reply)): answer(id, reply)
      }
    }
  }
}
