import Items
import Lua
import Paging

/// A source read through a feed, by a loop or by the sink, whose position drives the policy.
final class FeedReader: Reader {
  /// Items of the viewport's length.
  let length: Int
  /// Where the items go.
  let kind: Kind
  var feed: Feed

  /// Pages applied and not taken yet.
  var queue: [[Item]] = []
  /// The readings of a source that is read again and again.
  var refreshing: Refreshing?
  /// Ids of the items that the sink was given, in order, where it is told what happens to them.
  var given: [ItemID] = []
  /// The details of what lies ahead, where the source fetches them.
  var details: DetailWindow?
  /// The task that waits for the next page.
  var waiting: ScriptTask?
  /// Items that the reader has passed.
  var position = 0
  /// Items handed to the reader, and those of them before the newest page.
  var handedOut = 0
  var pageStart = 0
  var pages = 0
  /// Fetches whose pages came in, whether or not it is their turn; kept where pages are limited.
  var landed: Set<Int> = []
  /// Requests for pages that a limit of pages has no room for, unless those before them fail or have gaps.
  var withheld: [FetchRequest] = []
  /// Since when its policy has put off the page that its reader waits for, and how often.
  var putOff: (since: Instant, times: Int)?
  var wasToldOfPutOff = false
  /// The run reads no more pages of it.
  var isCut = false
  private var lastMove: (position: Int, at: Instant)?
  private var velocity = 0.0

  enum Kind {
    /// A loop of the script.
    case iterator
    /// The sink, under the stream's name.
    case sink(stream: String?)
    /// A person, who says what is seen.
    case viewport
  }

  init(id: Int, definition: SourceDefinition, feed: Feed, kind: Kind) {
    self.kind = kind
    self.feed = feed
    length = definition.viewportLength
    super.init(id: id, definition: definition)
  }

  override func tell(_ news: News, in workflow: Workflow) {
    switch news {
    case .appended(let id, let items, let received):
      workflow.tell(self, .appended(id, items, received: received))
    case .answered(let id, let answer): workflow.tell(self, .answered(id, answer))
    case .woke: workflow.tell(self, .woke)
    }
  }

  /// The places of what a person sees.
  var browsing: Browsing?

  override var readAgainAt: Instant? { refreshing?.dueAt }

  /// How the pages end: nil while more may come. What was under way when a page failed may still be delivered before it.
  var ending: Ending? {
    if isCut { return .exhausted }
    return switch feed.state(of: .append) {
    case .exhausted: .exhausted
    case .gaveUp(let failure): fetches.isEmpty ? .failed(error(for: failure)) : nil
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
  /// A failure that no error of the script stands for, as `context:fail` makes it.
  init(_ failure: FetchFailure, source: String) {
    var fields: [String: LuaValue] = ["isTransient": .boolean(failure.isTransient)]
    if let wait = failure.retryAfter { fields["retryAfter"] = .number(wait.inSeconds) }
    self.init(.runtime, "source '\(source)': \(failure.message)", code: failure.code, fields: fields)
  }

  /// A source that brought nothing new so many times that it was stopped.
  static func fruitless(_ source: String, _ fetches: Int) -> LuaError {
    LuaError(
      .runtime,
      "source '\(source)' brought nothing new \(fetches) times in a row, so it was stopped before its end: "
        + "look at its keys (--trace shows every fetch)", code: "fruitless")
  }
}
