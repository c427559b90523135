import Lua
import Paging

/// Policies that make their reader wait by asking for time.
struct PutOffs {
  private let turn: Turn
  private let outbox: Outbox
  private let run: RunState
  private let observe: (Observation) -> Void

  /// A policy that has put off a page so often, or for so long, will never ask for it.
  private static let most = 10_000
  private static let longest = Duration.seconds(24 * 3600)
  /// The same for one that does so with hardly any time between.
  private static let mostAtOnce = (times: 1000, within: Duration.seconds(5))
  /// What a person is warned of.
  private static let long = Duration.seconds(60)

  init(_ turn: Turn, _ outbox: Outbox, _ run: RunState, observe: @escaping (Observation) -> Void) {
    self.turn = turn
    self.outbox = outbox
    self.run = run
    self.observe = observe
  }

  /// Warns, once, of a policy that asks for time again and again while its reader waits, and ends the run in the end.
  func check(_ reader: FeedReader) {
    guard let (since, times) = reader.feed.putOff else { return }
    let waited = turn.now - since
    let isAtOnce = times >= Self.mostAtOnce.times && waited <= Self.mostAtOnce.within
    let isOver = isAtOnce || times >= Self.most || waited >= Self.longest
    guard isOver || waited >= Self.long && !reader.wasWarnedOfPutOff, reader.isIdle, outbox.isEmpty else {
      return
    }
    if case .viewport = reader.kind { return }
    let fact =
      "its policy has put off the next page \(times) times in \(Int(waited.inSeconds.rounded())) s, and its reader waits for it"
    guard isOver else {
      reader.wasWarnedOfPutOff = true
      return observe(.logged(level: "warn", message: "source '\(reader.name)': \(fact)", fields: []))
    }
    let error = LuaError(
      .runtime,
      "source '\(reader.name)' stands still: \(fact) (a policy must say yes at the edge, as view.hint does)",
      code: "standstill")
    turn.enqueue { [run] in run.fail(error) }
  }

  /// Whether the next wake is so far that a person may wonder.
  func isLong(until next: Instant) -> Bool { next - turn.now >= Self.long }

  /// Warns, once, where a policy has put off for long what the reader waits for.
  func warn(of reader: FeedReader) {
    guard !reader.wasWarnedOfPutOff, reader.isIdle, outbox.isEmpty, let wake = reader.wakeAt,
      isLong(until: wake), !reader.fetchesAhead
    else { return }
    if case .viewport = reader.kind { return }
    reader.wasWarnedOfPutOff = true
    observe(
      .logged(
        level: "warn",
        message: "source '\(reader.name)': its policy puts off the next page for "
          + "\(Int((wake - turn.now).inSeconds.rounded())) s, and its reader waits for it", fields: []))
  }
}
