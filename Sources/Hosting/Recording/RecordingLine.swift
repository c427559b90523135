import JSON
public import Paging

/// A host call of a recorded run, and its outcome.
public struct RecordedExchange: Sendable, Equatable {
  /// How the call ended.
  public enum Outcome: Sendable, Equatable {
    /// Answered after this delay.
    case answered(HostReply, after: Duration)
    /// The answer was not awaited: the call was cancelled, or the run ended.
    case dropped(at: Instant)
  }

  /// The call's number in the run.
  public let number: Int
  /// When the call was made.
  public let asked: Instant
  public let call: RecordedCall
  public let outcome: Outcome
  /// Tells the call from those that differ only in secrets; nil without any.
  ///
  /// Secrets do not count that are hidden from the script of a replay as well.
  public let fingerprint: String?

  /// A call and its outcome.
  public init(
    number: Int, asked: Instant, call: RecordedCall, outcome: Outcome, fingerprint: String? = nil
  ) {
    self.number = number
    self.asked = asked
    self.call = call
    self.outcome = outcome
    self.fingerprint = fingerprint
  }

  /// When it ended.
  var end: Instant {
    switch outcome {
    case .answered(_, let after): asked + after
    case .dropped(let at): at
    }
  }
}

/// A line of a recording after the first; times are those of the program's events.
enum RecordingLine: Equatable {
  case started(Instant)
  case exchange(RecordedExchange)
  /// A requested wake came.
  case woke(Instant, wanted: Instant)
  /// A wake was due, but another event came first and made it unnecessary.
  case missed(Instant, wanted: Instant)
  case interrupted(Instant)
  /// The run ended; without it the recording is truncated.
  case ended(Instant)

  /// When it was written.
  var time: Instant {
    switch self {
    case .started(let at), .woke(let at, _), .missed(let at, _), .interrupted(let at), .ended(let at): at
    case .exchange(let exchange): exchange.end
    }
  }
}

extension JSONWriter {
  /// The line as an object.
  mutating func line(_ line: RecordingLine) {
    object {
      switch line {
      case .started(let at): $0.member("started", at - .zero)
      case .woke(let at, let wanted):
        $0.member("woke", at - .zero)
        $0.member("wanted", wanted - .zero)
      case .missed(let at, let wanted):
        $0.member("missed", at - .zero)
        $0.member("wanted", wanted - .zero)
      case .interrupted(let at): $0.member("interrupted", at - .zero)
      case .ended(let at): $0.member("ended", at - .zero)
      case .exchange(let exchange): $0.members(exchange)
      }
    }
  }

  private mutating func members(_ exchange: RecordedExchange) {
    member("call", exchange.number)
    member("asked", exchange.asked - .zero)
    if case .answered(_, let after) = exchange.outcome { member("after", after) }
    if let fingerprint = exchange.fingerprint { member("fingerprint", fingerprint) }
    member(exchange.call)
    switch exchange.outcome {
    case .answered(let reply, _):
      key("reply")
      self.reply(reply)
    case .dropped(let at): member("dropped", at - .zero)
    }
  }
}

extension RecordingLine {
  init(_ fields: RecordedFields) throws(LineFault) {
    if fields.has("call") {
      self = .exchange(try RecordedExchange(fields))
    } else if fields.has("woke") {
      self = .woke(try fields.instant("woke"), wanted: try fields.instant("wanted"))
    } else if fields.has("missed") {
      self = .missed(try fields.instant("missed"), wanted: try fields.instant("wanted"))
    } else if fields.has("started") {
      self = .started(try fields.instant("started"))
    } else if fields.has("interrupted") {
      self = .interrupted(try fields.instant("interrupted"))
    } else if fields.has("ended") {
      self = .ended(try fields.instant("ended"))
    } else {
      let names = fields.all.map { "'\($0.name)'" }.joined(separator: ", ")
      throw LineFault(
        expected: "'call', 'woke', 'missed', 'started', 'interrupted' or 'ended'",
        got: names.isEmpty ? "an empty object" : names)
    }
  }
}

extension RecordedExchange {
  init(_ fields: RecordedFields) throws(LineFault) {
    let outcome: Outcome
    if fields.has("dropped") {
      outcome = .dropped(at: try fields.instant("dropped"))
    } else {
      let after = try fields.time("after")
      outcome = .answered(try HostReply(try fields.fields("reply")), after: after)
    }
    self.init(
      number: try fields.integer("call"), asked: try fields.instant("asked"), call: try RecordedCall(fields),
      outcome: outcome, fingerprint: try fields.textIfAny("fingerprint"))
  }
}
