import Items
import Lua
import Paging

/// One source being read: its feed, its fetches, and the reader whose position drives its policy.
final class FeedReader {
  let id: Int
  let name: String
  /// The sealed definition table.
  let definition: LuaReference
  let settings: RequestSettings
  /// Names the item's id; nil when a function tells it, or nothing does.
  let idField: String?
  /// Whether the script said what the id is.
  let isIDDeclared: Bool
  /// Items of the viewport's length.
  let length: Int
  /// Where the items go.
  let kind: Kind
  var feed: Feed

  /// Fetches under way, by number.
  var fetches: [Int: ScriptTask] = [:]
  /// Their full names, for as long as an answer is wanted.
  var wanted: [Int: FetchID] = [:]
  /// The last error of a fetch, as the script raised it.
  var error: LuaError?
  var wakeAt: Instant?
  /// Pages applied and not taken yet.
  var queue: [[Item]] = []
  /// Revisions to be acknowledged when the sink has taken them.
  var appliedRevision = 0
  /// The task that waits for the next page.
  var waiting: ScriptTask?
  /// Items that the reader has passed.
  var position = 0
  /// Items handed to the reader, and those of them before the newest page.
  var handedOut = 0
  var pageStart = 0
  /// Whether an item with an id was seen; without any, items are numbered.
  var hasIDs = false
  var anonymousItems = 0
  var pages = 0
  var isClosed = false
  private var lastMove: (position: Int, at: Instant)?
  private var velocity = 0.0

  enum Kind {
    /// A loop of the script.
    case iterator
    /// The sink, under the stream's name.
    case sink(stream: String?)
  }

  init(id: Int, definition: SourceDefinition, feed: Feed, kind: Kind) {
    self.id = id
    self.kind = kind
    self.feed = feed
    name = definition.name
    self.definition = definition.table
    settings = definition.requests
    idField = definition.idField
    isIDDeclared = definition.isIDDeclared
    length = definition.viewportLength
  }

  /// How the sides end: nil while more may come.
  var ending: Ending? {
    switch feed.state(of: .append) {
    case .exhausted: .exhausted
    case .gaveUp(let failure): .failed(error ?? LuaError(failure))
    case .stopped(.fruitless(let fetches)): .failed(.fruitless(name, fetches))
    case .idle, .fetching, .failed: nil
    }
  }

  enum Ending {
    case exhausted
    case failed(LuaError)
  }

  /// Where the reader is now, for the policy.
  func viewport(at now: Instant) -> Viewport {
    if let last = lastMove, position > last.position {
      let seconds = (now - last.at).inSeconds
      let current = seconds > 0 ? Double(position - last.position) / seconds : velocity
      velocity = velocity == 0 ? current : velocity * 0.8 + current * 0.2
    }
    if lastMove == nil || position != lastMove?.position { lastMove = (position, now) }
    return Viewport(
      firstVisible: position, lastVisible: position, length: Double(length), velocity: velocity)
  }
}

extension LuaError {
  init(_ failure: FetchFailure) {
    var fields: [String: LuaValue] = ["isTransient": .boolean(failure.isTransient)]
    if let wait = failure.retryAfter { fields["retryAfter"] = .number(wait.inSeconds) }
    self.init(.runtime, failure.message, code: failure.code, fields: fields)
  }

  /// A source that brought nothing new so many times that it was stopped.
  static func fruitless(_ source: String, _ fetches: Int) -> LuaError {
    LuaError(
      .runtime,
      "source '\(source)' brought nothing new \(fetches) times in a row, so it was stopped before its end: "
        + "look at its keys (--trace shows every fetch)", code: "fruitless")
  }
}
