public import Paging
import Text

/// What a run's progress says in one line: how far it is, how fast, how long yet, and what it waits for.
///
/// ```
/// 1,200 of 5,000 items · 240/s · 8 in flight · 1 retry · 15 s left
/// ```
public struct ProgressText {
  /// What a run has done up to now.
  public struct Figures {
    /// Items given to the sink.
    public var items: Int
    /// Items that there will be in the end; nil if nobody knows.
    public var total: Int?
    /// The most items that were asked for; nil for all.
    public var limit: Int?
    /// Partitions, where that is what is read.
    public var partitions = PartitionCounts()
    /// Pages that are on their way.
    public var inFlight: Int
    /// Requests that were sent again.
    public var retries: Int

    public init(items: Int, total: Int? = nil, limit: Int? = nil, inFlight: Int = 0, retries: Int = 0) {
      self.items = items
      self.total = total
      self.limit = limit
      self.inFlight = inFlight
      self.retries = retries
    }
  }

  /// A reason why nothing comes, which ends by itself.
  private struct Pause {
    var reason: String
    var until: Instant
    /// Whether nobody may send meanwhile.
    var isForAll: Bool
  }

  /// What a part of the line is about; the last ones make room first.
  private enum Part: Int {
    case items, pause, left, rate, partitions, inFlight, retries
  }

  /// The rate is that of so long, so that a change shows.
  private static let memory = Duration.seconds(30)
  /// Silence that is worth a word.
  private static let silence = Duration.seconds(5)

  /// Items and finished partitions at times, at most one a second, the oldest first.
  private var marks = [(at: Instant.zero, items: 0, partitions: 0)]
  private var gained = (at: Instant.zero, items: 0)
  private var pause: Pause?

  public init() {}

  /// The host asked all to wait; the line counts down.
  public mutating func waits(for host: String, until: Instant) {
    pause = Pause(reason: "\(host) asked for it", until: until, isForAll: true)
  }

  /// A request is sent again at that time, which explains a silence.
  public mutating func retries(at time: Instant, because reason: String) {
    if let pause, pause.isForAll, pause.until >= time { return }
    pause = Pause(reason: reason, until: time, isForAll: false)
  }

  /// Takes what was done up to now, before anything is asked.
  public mutating func note(_ figures: Figures, at now: Instant) {
    if figures.items != gained.items { gained = (now, figures.items) }
    let done = figures.partitions.doneNow
    if let last = marks.last, last.items != figures.items || last.partitions != done,
      now - last.at >= .seconds(1)
    {
      marks.append((now, figures.items, done))
    }
    // However slow it is, there is something to measure.
    while marks.count > 1, now - marks[1].at >= Self.memory,
      figures.items > marks[1].items || done > marks[1].partitions
    {
      marks.removeFirst()
    }
  }

  /// Items a second of late; 0 before any time has passed.
  public func rate(_ figures: Figures, at now: Instant) -> Double {
    let seconds = (now - marks[0].at).inSeconds
    return seconds > 0 ? max(0, Double(figures.items - marks[0].items) / seconds) : 0
  }

  /// Seconds until all has come if it goes on like that; nil if nobody knows.
  public func secondsLeft(_ figures: Figures, at now: Instant) -> Double? {
    guard let total = figures.expected else { return secondsForPartitions(figures, at: now) }
    let rate = rate(figures, at: now)
    return total > figures.items && rate > 0 ? Double(total - figures.items) / rate : nil
  }

  /// The same by partitions, once all of them are known.
  private func secondsForPartitions(_ figures: Figures, at now: Instant) -> Double? {
    guard let left = figures.partitions.left, left > 0, figures.limit == nil else { return nil }
    let done = figures.partitions.doneNow - marks[0].partitions
    return done > 0 ? (now - marks[0].at).inSeconds * Double(left) / Double(done) : nil
  }

  /// The line, in at most so many cells; what matters least makes room.
  public func text(_ figures: Figures, at now: Instant, within width: Int = .max) -> String {
    var parts = parts(figures, at: now)
    func line() -> String { parts.map(\.text).joined(separator: " · ") }
    while parts.count > 1, line().cellWidth > width,
      let least = parts.indices.max(by: { parts[$0].part.rawValue < parts[$1].part.rawValue })
    {
      parts.remove(at: least)
    }
    return line().clipped(to: width)
  }

  private func parts(_ figures: Figures, at now: Instant) -> [(part: Part, text: String)] {
    let pause = pauseText(figures, at: now)
    guard figures.items > 0 || figures.inFlight == 0 else {
      let first = "waiting for the first page: \(Amount.wholeDuration(now.seconds))"
      return [(.items, first), (.inFlight, "\(figures.inFlight) in flight")] + retryText(figures) + pause
    }
    let rate = Amount.count(Amount.whole(rate(figures, at: now).rounded(.down)))
    var parts: [(Part, String)] = [
      (.items, "\(Amount.count(figures.items))\(figures.whole) items"), (.rate, "\(rate)/s"),
      (.inFlight, "\(figures.inFlight) in flight"),
    ]
    if let text = figures.partitionText { parts.append((.partitions, text)) }
    parts += retryText(figures)
    parts += pause
    if let left = secondsLeft(figures, at: now) {
      parts.append((.left, "\(Amount.wholeDuration(left)) left"))
    }
    return parts
  }

  private func retryText(_ figures: Figures) -> [(part: Part, text: String)] {
    guard figures.retries > 0 else { return [] }
    return [(.retries, figures.retries == 1 ? "1 retry" : "\(Amount.count(figures.retries)) retries")]
  }

  /// Why nothing comes, where nothing comes.
  private func pauseText(_ figures: Figures, at now: Instant) -> [(part: Part, text: String)] {
    let isSilent = now - gained.at >= .seconds(1)
    if let pause, pause.until > now, pause.isForAll || isSilent {
      // Rounded up: it counts down to one and not to nothing.
      let seconds = Amount.wholeDuration((pause.until - now).inSeconds.rounded(.up))
      return [
        (
          .pause,
          pause.isForAll ? "waiting \(seconds): \(pause.reason)" : "again in \(seconds): \(pause.reason)"
        )
      ]
    }
    guard figures.items > 0, now - gained.at >= Self.silence else { return [] }
    return [(.pause, "nothing for \(Amount.wholeDuration((now - gained.at).inSeconds))")]
  }
}

extension ProgressText.Figures {
  /// Items that there will be, as far as anyone knows.
  var expected: Int? { total.map { min($0, limit ?? $0) } }

  /// `312 of 10,000 partitions`; nil where none are read.
  var partitionText: String? {
    guard partitions.listed > 0 else { return nil }
    let done = Amount.count(partitions.done)
    if partitions.isListed { return "\(done) of \(Amount.count(partitions.listed)) partitions" }
    return "\(done) \(partitions.done == 1 ? "partition" : "partitions"), more are being listed"
  }

  /// The same as words after the number of those that have come.
  var whole: String {
    if let expected { return " of \(Amount.count(expected))" }
    return limit.map { " of at most \(Amount.count($0))" } ?? ""
  }
}
