import Items
import Lua
public import Paging

/// How a source is read by a person, who says what is seen.
public struct BrowseOptions {
  /// Items that are held at most, where the source does not say.
  public var maxItems = 10_000
  /// Told of every fetch that begins.
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

/// What a workflow knows of a reader who goes by places.
struct Browsing {
  var places = ListPlaces()
  let definition: SourceDefinition
}

extension Workflow {
  /// What the person who browses can see now; nil before the script has returned its source.
  public var browsedList: BrowsedList? {
    guard let reader = browsedReader, let browsing = reader.browsing else { return nil }
    return reader.feed.list(browsing.places)
  }

  /// The name of the source that is browsed, and the items that it holds at most.
  public var browsedSource: (name: String, maxItems: Int?)? {
    browsedReader.map { ($0.name, $0.feed.configuration.options.maxItems) }
  }

  /// Takes note of what the person wants; it is done with the next event that the workflow is told.
  public func browse(_ request: BrowseRequest) {
    later { [unowned self] in carryOut(request) }
  }

  /// Opens the first of the sources for a person.
  func openBrowsed(
    _ definitions: [SourceDefinition], _ prefetchers: [String: ScriptPrefetcher], _ browse: BrowseOptions
  ) throws {
    guard let definition = definitions.first else { return }
    let feed = Feed(
      configuration: try configuration(of: definition, browse), policy: try policy(of: definition))
    let reader = FeedReader(id: nextNumber(), definition: definition, feed: feed, kind: .viewport)
    reader.browsing = Browsing(definition: definition)
    reader.details = prefetchers[definition.name].map { DetailWindow($0) }
    readers[reader.id] = reader
  }

  /// A script that leaves nothing to look at is a mistake.
  func refuseToBrowseNothing() throws(LuaError) {
    guard options.browse != nil, browsedReader == nil else { return }
    throw LuaError(
      .runtime, "the script returns no source, so there is nothing to browse: end it with return SOURCE",
      code: "usage")
  }

  /// Goes on with what follows for the places from what the feed did.
  func follow(_ effects: [Effect], of reader: FeedReader) {
    guard let next = reader.browsing?.places.watch(effects, of: reader.feed, at: now) else { return }
    later { [unowned self] in tell(reader, next) }
  }

  /// Whoever browses is there, and may always want more.
  var browsedReader: FeedReader? {
    guard options.browse != nil else { return nil }
    return readers.values.lazy.compactMap { $0 as? FeedReader }.first { $0.browsing != nil }
  }

  private func carryOut(_ request: BrowseRequest) {
    guard let reader = browsedReader, var places = reader.browsing?.places else { return }
    let event: Event?
    switch request {
    case .move(let viewport): event = places.move(to: viewport, of: reader.feed, at: now)
    case .refresh: event = places.refresh(reader.feed, at: now)
    case .retry: event = .retried
    case .policy(let policy):
      exchange(policy, of: reader)
      event = places.wanted.map { places.move(to: $0, of: reader.feed, at: now) }
    case .leave: return close(reader)
    }
    reader.browsing?.places = places
    if let event { tell(reader, event) }
  }

  private func exchange(_ policy: (any FetchPolicy)?, of reader: FeedReader) {
    guard let definition = reader.browsing?.definition else { return }
    // It could be made when the source was opened.
    if let new = try? policy ?? self.policy(of: definition) { reader.feed.policy = new }
  }

  /// Nothing is let go but what is far away, since people turn back.
  private func configuration(
    of definition: SourceDefinition, _ browse: BrowseOptions
  ) throws -> FeedConfiguration {
    var given = definition.configuration.options
    given.releasesPassedItems = false
    given.checksTotal = false
    given.notesEveryDecision = true
    state.stack.push(definition.table)
    let fields = DefinitionFields(stack: state.stack, table: state.stack.absolute(-1))
    defer { state.stack.pop() }
    do throws(InvalidConfiguration) {
      given.maxItems =
        try fields.count("maxItems")
        ?? max(browse.maxItems, given.pageSize + 2 * (given.prefetchDistance ?? 0))
      return try FeedConfiguration(given)
    } catch {
      throw LuaError(.runtime, error.text)
    }
  }
}
