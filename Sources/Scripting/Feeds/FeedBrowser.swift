import Items
import Lua
public import Paging

/// How a source is read by a person, who says what is seen.
public struct BrowseOptions {
  /// Items that are held at most, where the source does not say.
  public var maxItems = 10_000
  /// Called for every fetch that begins.
  public var began: (FetchRequest, Instant) -> Void = { _, _ in }

  public init() {}
}

/// What a person who browses wants.
public enum BrowseRequest {
  /// To see these places of the source.
  case move(Viewport)
  /// To have fetched again what is seen, and to keep the place.
  case refresh
  /// To have tried again what failed.
  case retry
  /// To have another policy decide; nil is the source's own.
  case policy((any FetchPolicy)?)
  /// To go: the run ends.
  case leave
}

/// A source that a person reads, who goes by places.
final class FeedBrowser {
  private let state: LuaState
  private let turn: Turn
  private let run: RunState
  private let fetches: FetchHost
  private let feeds: FeedHost
  private let policies: ScriptPolicies
  private let options: BrowseOptions
  private var browsed: (reader: FeedReader, definition: SourceDefinition)?
  /// The policy that the user chose before the source was open.
  private var chosen: (any FetchPolicy)?

  init(
    _ state: LuaState, _ turn: Turn, _ run: RunState, _ fetches: FetchHost, _ feeds: FeedHost,
    _ policies: ScriptPolicies, _ options: BrowseOptions
  ) {
    self.state = state
    self.turn = turn
    self.run = run
    self.fetches = fetches
    self.feeds = feeds
    self.policies = policies
    self.options = options
  }

  /// The reader, while the person is there; they may always want more.
  var reader: FeedReader? { browsed.flatMap { $0.reader.isClosed ? nil : $0.reader } }

  /// What the person can see now.
  var list: BrowsedList? { reader?.feed.list }

  /// The name of the source, and the items that it holds at most.
  var source: (name: String, maxItems: Int?)? {
    reader.map { ($0.name, $0.feed.configuration.options.maxItems) }
  }

  /// How the source is read.
  var configuration: FeedConfiguration? { reader?.feed.configuration }

  /// Opens the source.
  func open(_ definition: SourceDefinition, prefetcher: ScriptPrefetcher?) throws {
    let reader = try feeds.openBrowsed(
      definition, configuration(of: definition, fetchesDetails: prefetcher != nil), prefetcher: prefetcher)
    if let chosen { reader.feed.policy = chosen }
    browsed = (reader, definition)
  }

  /// Takes note of what the person wants; it is done with the next event of the program.
  func handle(_ request: BrowseRequest) { turn.enqueue { [unowned self] in carryOut(request) } }

  /// Those of the places whose items' details are there.
  func placesWithDetails(in places: Range<Int>) -> Set<Int> {
    guard let reader, let owner = reader.prefetcher else { return [] }
    let list = reader.feed.list
    return Set(places.filter { list[$0].map { owner.prefetcher.peek($0.id) != nil } ?? false })
  }

  /// The details of an item, as JSON; nil while they are not there, and where the source fetches none.
  func details(of id: ItemID) -> Bytes? {
    guard let owner = reader?.prefetcher, let details = owner.prefetcher.peek(id) else { return nil }
    state.stack.push(details)
    defer { state.stack.pop() }
    return try? state.stack.withJSON(at: -1) { Bytes(copying: $0) }
  }

  /// Forgets the details of all items; returns who fetches them again, and of which items: those seen, then those behind them.
  func forgetDetails() -> (owner: ScriptPrefetcher, wanted: [ItemID])? {
    guard let reader, let owner = reader.prefetcher else { return nil }
    // Fetches in flight begin anew when the next ones are asked for.
    owner.work += owner.prefetcher.invalidate(at: turn.now).map {
      ScriptPrefetcher.Work(effect: $0, error: nil)
    }
    let list = reader.feed.list
    guard let seen = list.viewport else { return (owner, []) }
    let places = seen.firstVisible...max(seen.firstVisible, seen.lastVisible + Int(seen.length))
    return (owner, places.compactMap { list[$0]?.id })
  }

  private func carryOut(_ request: BrowseRequest) {
    guard let reader else {
      if case .policy(let policy) = request { chosen = policy }
      return
    }
    switch request {
    case .move(let viewport): feeds.handle(.placesViewed(viewport), for: reader)
    case .refresh: feeds.handle(.refreshed(.anchor), for: reader)
    case .retry: feeds.handle(.retried, for: reader)
    case .policy(let policy):
      exchange(policy, of: reader)
      if let wanted = reader.feed.places.wanted { feeds.handle(.placesViewed(wanted), for: reader) }
    case .leave:
      fetches.close(reader)
      // A handler that goes on behind its answer is no longer waited for.
      run.stop()
    }
  }

  private func exchange(_ policy: (any FetchPolicy)?, of reader: FeedReader) {
    guard let definition = browsed?.definition else { return }
    // It could be made when the source was opened.
    if let new = try? policy ?? policies.policy(of: definition) { reader.feed.policy = new }
  }

  /// Nothing is let go but what is far away.
  private func configuration(
    of definition: SourceDefinition, fetchesDetails: Bool
  ) throws -> FeedConfiguration {
    var given = definition.browsedOptions
    given.notesEveryDecision = true
    given.jumpsToPlaces = true
    given.prefetchesDetails = fetchesDetails
    state.stack.push(definition.table)
    let fields = DefinitionFields(stack: state.stack, table: state.stack.absolute(-1))
    defer { state.stack.pop() }
    do throws(InvalidConfiguration) {
      given.maxItems =
        try fields.count("maxItems")
        ?? max(options.maxItems, given.pageSize + 2 * (given.prefetchDistance ?? 0))
      return try FeedConfiguration(given)
    } catch {
      throw LuaError(.runtime, error.text)
    }
  }
}
