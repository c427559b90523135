import Lua
import Paging

/// Runs that cannot go on by themselves are ended, with the reason, instead of waiting for ever.
extension Workflow {
  /// Closes loops that nobody can read any more: the script is over and had left them open.
  func closeAbandonedLoops() {
    guard !(readers.isEmpty && prefetchers.isEmpty), tasks.values.allSatisfy(\.isFetch) else { return }
    let open = readers.values.sorted { $0.id < $1.id }
    let hasSink = open.contains { reader in
      guard case .sink? = (reader as? FeedReader)?.kind else { return false }
      return true
    }
    guard !hasSink, browsedReader == nil else { return }
    for reader in open { close(reader) }
    endPrefetches()
  }

  /// Whether something is left to do and nothing is under way that would lead to it.
  var isStuck: Bool {
    guard prompt == nil || prompt?.current != nil else { return false }
    return calls.isEmpty && outbox.isEmpty && browsedReader == nil && !(tasks.isEmpty && readers.isEmpty)
  }

  /// The lines at which tasks wait, as `feed.lua:12`, that of the newest task first; at most four. A person at a prompt
  /// knows the line.
  private var waitingPlaces: [String] {
    guard prompt == nil else { return [] }
    var places: [String] = []
    for task in tasks.values.sorted(by: { $0.id > $1.id }) {
      guard case .waiting = task.state else { continue }
      let place = String(task.coroutine.stack.scriptPlace(in: task).dropLast(2))
      if !place.isEmpty, !places.contains(place) { places.append(place) }
    }
    return Array(places.prefix(4))
  }

  /// Why a run that is stuck stands still.
  var standstill: LuaError {
    let idle = readers.values.sorted { $0.id < $1.id }.first { ($0 as? FeedReader)?.isIdle ?? false }
    guard let idle else {
      let lines = waitingPlaces
      let others =
        lines.dropFirst().isEmpty ? "" : " (others wait at \(lines.dropFirst().joined(separator: ", ")))"
      return LuaError(
        .runtime,
        (lines.first.map { "\($0): " } ?? "")
          + "the script stands still: its tasks wait for each other, so none of them can go on\(others)",
        code: "standstill")
    }
    return LuaError(
      .runtime,
      "source '\(idle.name)' stands still: its policy asks for no page, and its reader waits for one "
        + "(a policy must say yes at the edge, as view.hint does)", code: "standstill")
  }
}

/// Policies that make their reader wait by asking for time.
extension Workflow {
  /// A policy that has put off a page so often, or for so long, will never ask for it.
  private static let mostPutOffs = 10_000
  private static let longestPutOff = Duration.seconds(24 * 3600)
  /// What a person is told about.
  private static let longPutOff = Duration.seconds(60)

  /// The policy of a source asked for time, which does not go on for ever while its reader waits.
  func putOff(_ reader: FeedReader) {
    if case .viewport = reader.kind { return }
    guard reader.isIdle, outbox.isEmpty else { return }
    let (since, times) = reader.putOff ?? (now, 0)
    reader.putOff = (since, times + 1)
    let waited = now - since
    if times + 1 >= Self.mostPutOffs || waited >= Self.longestPutOff {
      let error = LuaError(
        .runtime,
        "source '\(reader.name)' stands still: its policy has put off the next page \(times + 1) times in "
          + "\(Int(waited.inSeconds)) s, and its reader waits for it "
          + "(a policy must say yes at the edge, as view.hint does)", code: "standstill")
      return later { [unowned self] in fail(error) }
    }
  }

  /// Nothing happens before the next wake, which is far: where it is a policy that has put off what a reader waits for,
  /// somebody has to be told, once.
  func tellOfPutOffs(until next: Instant) {
    guard next - now >= Self.longPutOff else { return }
    for reader in readers.values.sorted(by: { $0.id < $1.id }) {
      guard let reader = reader as? FeedReader, !reader.wasToldOfPutOff, reader.isIdle, outbox.isEmpty,
        let wake = reader.wakeAt, wake - now >= Self.longPutOff, reader.feed.state(of: .append) == .idle
      else { continue }
      if case .viewport = reader.kind { continue }
      reader.wasToldOfPutOff = true
      options.observe(
        .logged(
          level: "warn",
          message: "source '\(reader.name)': its policy puts off the next page for "
            + "\(Int((wake - now).inSeconds.rounded())) s, and its reader waits for it", fields: []))
    }
  }
}

extension FeedReader {
  /// Whether the reader wants more and nothing is on its way.
  var isIdle: Bool {
    guard ending == nil, queue.isEmpty, fetches.isEmpty else { return false }
    if case .iterator = kind { return waiting != nil }
    return true
  }
}
