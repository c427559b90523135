/// The next step of a call.
public enum Step: Sendable, Equatable {
  /// Make this attempt, and pass the reply to the gate.
  case send(HTTPRequest)
  /// Wait until that time.
  case wait(until: Instant)
  /// The call is finished, with this reply.
  case deliver(HostReply)
}

/// The effects of a gate, in order.
public enum GateEffect: Sendable, Equatable {
  /// The next step of a call.
  case step(HostCallID, Step)
  /// What happened, for traces.
  case note(GateNote)
}

/// What happened to a call, for traces and users.
public enum GateNote: Sendable, Equatable {
  /// A retry; attempts count from 2.
  case retrying(HostCallID, attempt: Int, at: Instant, reason: String)
  /// The host can't be reached or fails; its calls are retried for at most that long. Noted once, until it answers.
  case unavailable(host: String, reason: String, upTo: Duration)
  /// The host answers again.
  case available(host: String)
  /// The call continues at another address; `droppedBody` where it is a GET there, without what it was to send, though the server has
  /// not said that the answer is found so (303).
  case redirected(HostCallID, to: String, droppedCredentials: Bool, droppedBody: Bool)
  /// The host asked all callers to wait.
  case closed(host: String, until: Instant)
  /// Fewer concurrent attempts from now on.
  case narrowed(host: String, width: Int)
}
