/// How many requests one host is asked for at once, found out from its answers: a value without clock, whose owner says what
/// was sent and how it ended.
///
/// It belongs to a host, and so is shared by all sources, partitions and copies of a run that talk to it. The questions it had
/// to answer:
///
/// - *How does it grow?* From `first` (what a source had before it could be found out) by one with each answer: it doubles in a
///   round trip, as TCP's slow start. Later by one in a round trip. Only where it was used: a script that asks for little does
///   not widen it.
/// - *When does it stop?* When more at once bring no more. What is in flight over how long it takes is what comes in a second
///   (Little's law), so it is enough to remember the latency at each width. Twice as many that take twice as long are a queue at
///   the server, or in this process: the width goes back to the least that brings as much, waits, and looks again; each time
///   that was in vain it waits twice as long. Latencies are compared with the least seen, as in TCP Vegas, but never alone: a
///   server whose latency varies by itself would starve.
/// - *When does it shrink?* It halves when the host refuses (429, 503, a rate limit), or drops or refuses connections: once for
///   all that was sent before, and never below 1. Behind a refusal most servers close for a second, so that probing for the
///   limit again and again would cost more than it brings: a limit of requests at once is remembered, and tried again only after
///   thirty times what the refusal cost. Where as many were answered before, the limit is another one (requests in a second): then
///   nothing is remembered.
/// - *What is the ceiling?* `Limits.automaticInFlight`, 32 for each host, whatever the number of sources: beyond it there is
///   little to win (32 pages in 20 ms are 1,600 in a second), and to more than that a person should have said yes (`-j 64`).
/// - *How many pages past the end may be asked for?* Those that were in flight: the pager hands over no more than have landed, and
///   what waits here when the end is found is never sent. A list of three pages has no more requests than with the usual four.
/// - *How much memory?* The pager's matter: the width is the usual one for pages so large that those waiting for their turn would
///   take up more than `Limits.waitingBytes`.
public struct AutomaticWidth: Sendable {
  /// An attempt in flight.
  public struct Attempt: Sendable {
    let number: Int
    let sentAt: Instant
    /// Attempts in flight with it, when it was sent.
    let company: Int
    /// What `load` was then.
    let load: Double
  }

  /// How an attempt ended.
  public enum Outcome: Sendable, Equatable {
    case answered
    /// The host is overloaded, or says so; it may have asked to wait.
    case refused(wait: Duration?)
    /// It tells nothing about the host's load.
    case withdrawn
  }

  /// Where it starts: what sources had before it was found out.
  public static let first = Limits.usualInFlight
  /// What it never exceeds.
  public static let ceiling = Limits.automaticInFlight

  /// Attempts in flight.
  public private(set) var inFlight = 0
  private var width = Double(AutomaticWidth.first)
  private var isStarting = true
  private var sent = 0
  /// Attempts in flight over time, summed up until `loadAt`: its growth over a span is their mean number in it.
  private var load = 0.0
  private var loadAt = Instant.zero
  private var seen = SeenLatencies()
  private var round = Round()
  private var rounds = 0
  /// Rounds in a row in which the width brought nothing.
  private var misses = 0
  /// It does not grow before that round, and how long it waits the next time.
  private var growsAt = 0
  private var pause = AutomaticWidth.shortestPause
  /// Where it comes from, while it looks whether fewer at once bring more.
  private var lookedBelow: Int?
  /// Attempts up to that one were sent before it was last halved.
  private var narrowedAt = 0
  /// Attempts up to that one were sent when the width was larger: their latency belongs to no width.
  private var shrunkAt = 0
  /// Answers since it was last halved.
  private var answered = 0
  /// When the wait was over that the last refusal asked for.
  private var opensAt = Instant.zero
  /// As many at once as a whole round had without being refused.
  private var proven = 0
  private var limited: Cap?

  private static let shortestPause = 8
  private static let longestPause = 128

  /// A limit of requests at once that the host has shown.
  private struct Cap {
    var width: Int
    let until: Instant
    let length: Duration
  }

  /// The time from an attempt to its answer, and those that ended in it.
  private struct Round {
    /// It ends with the answer to that attempt, or a later one.
    var end = 1
    var answers = 0
    var company = 0
    /// The largest width that was made use of.
    var wasUsed = false
  }

  /// A width that knows nothing of its host yet.
  public init() {}

  /// How many may be in flight.
  public var limit: Int { max(1, Int(width)) }

  /// Whether one more may be sent.
  public var hasRoom: Bool { inFlight < limit }

  /// Counts an attempt that is sent now.
  public mutating func begin(at now: Instant) -> Attempt {
    pass(to: now)
    inFlight += 1
    sent += 1
    return Attempt(number: sent, sentAt: now, company: inFlight, load: load)
  }

  /// Counts the end of an attempt.
  public mutating func end(_ attempt: Attempt, _ outcome: Outcome, at now: Instant) {
    pass(to: now)
    let company = inFlight
    inFlight -= 1
    switch outcome {
    case .answered: learn(from: attempt, beside: company, at: now)
    case .refused(let wait): refused(attempt, beside: company, wait, at: now)
    case .withdrawn: break
    }
  }

  private mutating func pass(to now: Instant) {
    if now > loadAt { load += Double(inFlight) * (now - loadAt).inSeconds }
    loadAt = max(loadAt, now)
  }
}

/// Growing while more at once bring more.
extension AutomaticWidth {
  private mutating func learn(from attempt: Attempt, beside company: Int, at now: Instant) {
    let latency = (now - attempt.sentAt).inSeconds
    let mean = latency > 0 ? (load - attempt.load) / latency : Double(company)
    let isUsed = 2 * attempt.company > limit
    if isStarting, isUsed, latency <= 2 * (seen.least ?? latency) { grow(at: now) }
    if attempt.number > shrunkAt { seen.add(latency, at: mean, in: rounds) }
    answered += 1
    round.answers += 1
    round.company += attempt.company
    if isUsed { round.wasUsed = true }
    if attempt.number >= round.end, round.answers >= max(4, limit / 2) { endRound(at: now) }
  }

  private mutating func grow(at now: Instant) {
    if let cap = limited, cap.until <= now { limited = nil }
    width = min(width + 1, Double(limited?.width ?? Self.ceiling))
  }

  private mutating func endRound(at now: Instant) {
    let wasUsed = round.wasUsed
    proven = max(proven, round.company / round.answers)
    rounds += 1
    round = Round(end: sent + 1)
    if let usual = lookedBelow {
      lookedBelow = nil
      if !seen.isBetter(limit, than: usual, now: rounds) { width = Double(usual) }
    } else if wasUsed {
      judge(at: now)
    }
  }

  /// Grows, stays or goes back, after a round in which the width was made use of.
  private mutating func judge(at now: Instant) {
    let gain = seen.gain(at: limit, now: rounds)
    if gain == nil, !isStarting, seen.hasRisen(at: limit, now: rounds) {
      // It was the same for so long that nothing is known of fewer: look again.
      return shrink(to: max(Double(min(limit, Self.first)), 0.6 * width))
    }
    guard let gain, gain < 0.3 else {
      misses = 0
      if !isStarting, rounds >= growsAt { grow(at: now) }
      return
    }
    isStarting = false
    misses += 1
    if misses == 1 {
      growsAt = rounds + pause
      pause = min(2 * pause, Self.longestPause)
    }
    if misses >= (gain < 0.1 ? 2 : 4) { goBack() }
  }

  /// Goes back to the least width that brings as much. Where that is the usual one, half of it may bring more.
  private mutating func goBack() {
    misses = 0
    let least = seen.leastWidth(asGoodAs: limit, from: Self.first, now: rounds) ?? limit * 3 / 4
    shrink(to: Double(min(limit, least)))
    guard limit == Self.first else { return }
    lookedBelow = limit
    shrink(to: Double(limit / 2))
  }

  private mutating func shrink(to width: Double) {
    if width < self.width { shrunkAt = sent }
    self.width = max(1, width)
    round = Round(end: sent + 1)
  }
}

/// Shrinking when the host refuses.
extension AutomaticWidth {
  private mutating func refused(
    _ attempt: Attempt, beside company: Int, _ wait: Duration?, at now: Instant
  ) {
    guard attempt.number > narrowedAt else {
      // The same burst: the fewest that were too many say most about the limit.
      if let cap = limited, attempt.company > proven {
        limited?.width = max(1, min(cap.width, attempt.company - 1))
      }
      return
    }
    let wait = max(wait ?? .zero, .zero)
    if proven > 0, attempt.company > proven {
      let length = min(
        max(max(wait, .milliseconds(500)) * 30, (limited?.length ?? .zero) * 2), .seconds(3600))
      limited = Cap(width: attempt.company - 1, until: now + length, length: length)
    } else {
      (limited, proven) = (nil, 0)
    }
    // Where it still answers in between, it would refuse as often with the usual number.
    let floor = 2 * answered > limit ? min(Self.first, limited?.width ?? Self.first) : 1
    // A rate that is spent much quicker than it comes back: more at once would only have more refused.
    let isSpent = limited == nil && (attempt.sentAt - opensAt) * 16 < wait
    (narrowedAt, answered, isStarting, opensAt) = (sent, 0, false, now + wait)
    (growsAt, misses, lookedBelow) = (isSpent ? rounds + 2 * Self.shortestPause : 0, 0, nil)
    shrink(to: max(Double(min(limit, floor)), (min(width, Double(company)) / 2).rounded(.down)))
  }
}
