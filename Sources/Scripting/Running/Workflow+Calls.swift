import Lua
import Paging

/// A host call under way, and what becomes of its reply.
struct PendingCall {
  let task: ScriptTask
  let call: HostCall
  /// Leaves the results of the call on the stack and says how many.
  let push: (HostReply, LuaStack) throws(LuaError) -> Int
}

extension LuaError {
  /// The code of the error that ends a check where the script would have waited.
  static let checkEnds = "lookahead.check"
}

/// Host calls: asked for by a task that waits, answered by the loop.
extension Workflow {
  /// Suspends the running task until the host has answered.
  func wait(
    _ function: HostFunctionCall, for call: HostCall,
    _ push: @escaping (HostReply, LuaStack) throws(LuaError) -> Int = { _, _ in 0 }
  ) throws -> HostFunctionAnswer {
    let task = try waitingTask(function)
    let id = HostCallID(number: nextNumber())
    calls[id] = PendingCall(task: task, call: call, push: push)
    task.call = id
    if options.isDryRun, let reply = dryReply(to: call) {
      later { [unowned self] in answer(id, reply) }
    } else if case .http(let request) = call {
      send(id, request, for: task)
    } else {
      effects.append(.call(id, call))
    }
    return .waits
  }

  /// The running task, which may wait here; in a check it ends instead.
  func waitingTask(_ function: HostFunctionCall) throws -> ScriptTask {
    guard function.canWait, let task = running else { throw function.cannotWait }
    if function.stack.hasFault {
      throw HostFunctionError.misuse("\(function.name): an argument is not what it has to be")
    }
    if options.isCheck {
      let message = "\(function.stack.scriptPlace(in: task))\(function.name) waits"
      library.push(LuaError(.runtime, message, code: LuaError.checkEnds), on: function.stack)
      throw HostFunctionError.value
    }
    return task
  }

  func replied(_ id: HostCallID, _ reply: HostReply) {
    if attempts[id] != nil { return attemptReplied(id, reply) }
    if outbox.acknowledge(id) { return delivered(id, reply) }
    answer(id, reply)
  }

  /// Gives a reply to the task that waits for it.
  func answer(_ id: HostCallID, _ reply: HostReply) {
    guard let pending = calls.removeValue(forKey: id) else { return }
    pending.task.call = nil
    resume(pending.task) { stack throws(LuaError) in
      if case .failed(let failure) = reply {
        throw LuaError(failure, at: stack.scriptPlace(in: pending.task))
      }
      return try pending.push(reply, stack)
    }
  }

  /// The answer is no longer wanted.
  func abandon(_ id: HostCallID) {
    calls[id] = nil
    if let attempt = attempts.first(where: { $0.value == id })?.key {
      attempts[attempt] = nil
      effects.append(.cancel(attempt))
    } else {
      effects.append(.cancel(id))
    }
    gateForget(id)
  }
}

extension LuaError {
  /// A failure of the world as scripts see it; `place` is the text before its message.
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
