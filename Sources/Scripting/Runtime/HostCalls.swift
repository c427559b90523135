import Items
import Lua
import Paging

/// The host calls of a script: made by a waiting task, answered by the loop.
///
/// HTTP requests go through the gate, whose attempts are host calls of their own.
final class HostCalls {
  /// Observes the gate, and what a dry run would send.
  typealias Observer = (Observation) -> Void
  /// Leaves the results of a call on the stack and returns their number.
  typealias Push = (HostReply, LuaStack) throws(LuaError) -> Int

  /// A call in flight.
  private struct Pending {
    let task: ScriptTask
    let push: Push
    /// Called where nothing comes of it: it has failed, or its answer is no longer wanted.
    let otherwise: () -> Void
  }

  private let turn: Turn
  private let scheduler: Scheduler
  private let tally: Tally
  private let isDryRun: Bool
  private let asksPermits: Bool
  private let observe: Observer
  private var pending: [HostCallID: Pending] = [:]
  private var gate: RequestGate
  /// Whether the requests go through the gate of another program of the run.
  var isGatedElsewhere = false
  /// Requests of other programs that went into this gate.
  private var passed: Set<HostCallID> = []
  /// The calls that attempts belong to.
  private var attempts: [HostCallID: HostCallID] = [:]

  init(
    _ turn: Turn, _ scheduler: Scheduler, _ tally: Tally, gate: RequestGate, isDryRun: Bool,
    asksPermits: Bool, observe: @escaping Observer
  ) {
    self.turn = turn
    self.scheduler = scheduler
    self.tally = tally
    self.gate = gate
    self.isDryRun = isDryRun
    self.asksPermits = asksPermits
    self.observe = observe
  }

  /// Whether no task waits for a host call.
  var isEmpty: Bool { pending.isEmpty }

  /// How the hosts of requests stand with the gate.
  var hosts: [HostStanding] { gate.hosts }

  /// When the gate is to be woken.
  var nextWake: Instant? { gate.nextWake }

  /// Suspends the running task until the host has answered; `otherwise` is called in the place of `push` where there is no
  /// answer, or none but a failure.
  func wait(
    _ function: HostFunctionCall, for call: HostCall,
    _ push: @escaping Push = { _, _ in 0 }, otherwise: @escaping () -> Void = {}
  ) throws -> HostFunctionAnswer {
    let task = try scheduler.waitingTask(function)
    let id = HostCallID(number: turn.nextNumber())
    pending[id] = Pending(task: task, push: push, otherwise: otherwise)
    task.giveUp = { [unowned self] in abandon(id) }
    if isDryRun, let reply = dryReply(to: call) {
      turn.enqueue { [unowned self] in answer(id, reply) }
    } else if case .http(let request) = call {
      let settings = task.settings
      let terms = GateTerms(
        retry: settings.retry, rate: settings.rate, source: settings.source, width: settings.width)
      guard !isGatedElsewhere else {
        turn.append(.call(id, .request(request, terms)))
        return .waits
      }
      carryOut(gate.submit(id, request, terms, at: turn.now))
    } else {
      turn.append(.call(id, call))
    }
    return .waits
  }

  /// Leaves the handle of a call's result for the prelude.
  static func pushHandle(_ reply: HostReply, _ stack: LuaStack) -> Int {
    guard case .handle(let handle) = reply else { return 0 }
    stack.push(handle)
    return 1
  }

  /// The line of the script that waits for the call, as `feed.lua:12`; empty if none does.
  func place(of id: HostCallID) -> String {
    guard let task = pending[attempts[id] ?? id]?.task else { return "" }
    let place = task.coroutine.stack.scriptPlace(in: task)
    return place.hasSuffix(": ") ? String(place.dropLast(2)) : place
  }

  /// Makes a call whose reply is ignored.
  func send(_ call: HostCall) { turn.append(.call(HostCallID(number: turn.nextNumber()), call)) }

  /// Handles the loop's reply to a call, or to an attempt.
  func replied(_ id: HostCallID, _ reply: HostReply) {
    guard let call = attempts.removeValue(forKey: id) else { return answer(id, reply) }
    if case .response(let response) = reply { tally.statistics.bytesReceived += response.body.count }
    carryOut(gate.replied(call, reply, at: turn.now))
  }

  /// Sends a request of another program through the gate.
  func pass(_ id: HostCallID, _ request: HTTPRequest, _ terms: GateTerms) {
    passed.insert(id)
    carryOut(gate.submit(id, request, terms, at: turn.now))
  }

  /// The answer to a request of another program is no longer wanted.
  func abandonPassed(_ id: HostCallID) { if passed.remove(id) != nil { abandon(id) } }

  /// Wakes the gate, if due.
  func woke() { carryOut(gate.woke(at: turn.now)) }

  /// Passes a reply to the task that waits for it.
  private func answer(_ id: HostCallID, _ reply: HostReply) {
    if passed.remove(id) != nil { return turn.append(.answer(id, reply)) }
    guard let call = pending.removeValue(forKey: id) else { return }
    call.task.giveUp = nil
    if case .failed = reply { call.otherwise() }
    scheduler.resume(call.task) { stack throws(LuaError) in
      if case .failed(let failure) = reply {
        throw LuaError(failure, at: stack.scriptPlace(in: call.task))
      }
      return try call.push(reply, stack)
    }
  }

  /// The answer is no longer wanted.
  private func abandon(_ id: HostCallID) {
    pending.removeValue(forKey: id)?.otherwise()
    if let attempt = attempts.first(where: { $0.value == id })?.key {
      attempts[attempt] = nil
      turn.append(.cancel(attempt))
    } else {
      turn.append(.cancel(id))
    }
    carryOut(gate.cancelled(id, at: turn.now))
  }

  private func carryOut(_ effects: [GateEffect]) {
    for effect in effects {
      switch effect {
      case .note(let note):
        if case .retrying = note { tally.statistics.retries += 1 }
        observe(.gateNoted(note, at: turn.now))
      case .step(let id, .send(let request)):
        let attempt = HostCallID(number: turn.nextNumber())
        attempts[attempt] = id
        tally.statistics.requests += 1
        turn.append(
          .call(attempt, asksPermits ? .request(request, gate.terms(of: id)) : .http(request)))
      case .step(_, .wait): break
      case .step(let id, .deliver(let reply)): answer(id, reply)
      }
    }
  }

  /// A dry run's answer in place of the host; nil for read-only calls, which are made. Reading ends the task, since
  /// there is nothing to continue with; writing is assumed to succeed.
  private func dryReply(to call: HostCall) -> HostReply? {
    switch call {
    case .http, .query, .openRows:
      observe(.wouldSend(call))
      return .failed(HostFailure(.cancelled, "a dry run sends nothing"))
    case .writeFile:
      observe(.wouldSend(call))
      return .done
    case .execute:
      observe(.wouldSend(call))
      return .count(0)
    // Opening a database creates it.
    case .openDatabase, .connectDatabase: return .handle(0)
    case .close(let handle): return handle == 0 ? .done : nil
    case .sleep, .idle, .emit, .begin, .beginStep, .readFile, .fileExists, .listFiles, .openLines, .nextLines,
      .listPage, .nextRows, .environment, .read, .request:
      return nil
    }
  }
}

extension LuaError {
  /// A host failure as scripts see it; `place` precedes its message.
  init(_ failure: HostFailure, at place: String = "") {
    var fields: [String: LuaValue] = ["isTransient": .boolean(failure.isTransient)]
    if let needs = failure.needs { fields["needs"] = .string(needs) }
    if let status = failure.status { fields["status"] = .integer(Int64(status)) }
    if let wait = failure.retryAfter { fields["retryAfter"] = .number(wait.inSeconds) }
    var message = failure.message
    if let needs = failure.needs { message += " (allow it with \(needs))" }
    if !place.isEmpty { fields["where"] = .string(place) }
    self.init(.runtime, message, code: failure.code.rawValue, fields: fields)
  }
}
