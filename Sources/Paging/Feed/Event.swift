public import Items

/// What a feed is told.
public enum Event: Sendable, Equatable {
  /// The reader sees other items, or moves at another speed; in items from the first that is held.
  case viewportMoved(Viewport)
  /// The reader sees other places of the source, whatever of it is held.
  case placesViewed(Viewport)
  /// A reader who only goes forward has passed so many items; the feed estimates its speed.
  case advanced(to: Int)
  /// The reader wants one more page on that side, whatever the policy says.
  case pageRequested(Direction)
  /// A handler called `context:append`; `received` counts what the source sent.
  case appended(FetchID, [Item], received: Int)
  /// A handler has its page and only has items to make of it: what follows from the page is known, so that the next one
  /// may be asked for meanwhile. The page comes without items; `answered` brings them.
  case outlined(FetchID, Page)
  /// A fetch handler is done.
  case answered(FetchID, FetchAnswer)
  /// A handler returned nothing and never completed.
  case endedWithoutCompleting(FetchID)
  /// The reader has taken the change set of that revision and all before it.
  case applied(revision: Int)
  /// Start over; what is held stays until the new generation has as much as `refreshExtent` says.
  case refreshed(RefreshPoint)
  /// The caller changes what is held. Answers of fetches begun before do not undo it, those of later ones do: the source
  /// is expected to know by then. What comes belongs to the page before it, and is dropped with that.
  case edited(Edit)
  /// Try again what failed or stopped; nothing happens when nothing did.
  case retried
  /// Stop what is in flight; nothing is started before the viewport moves or something is retried or
  /// refreshed.
  case cancelled
  /// The reader is gone: stop what is in flight, and pay no heed to what comes.
  case closed
  /// The moment asked for has arrived.
  case woke
  /// Let go of what can be fetched again.
  case memoryShort
}

extension Event {
  /// A fetch is over with it.
  public var endsFetch: Bool {
    switch self {
    case .answered, .endedWithoutCompleting: true
    default: false
    }
  }

  /// The same of another fetch, where a fetch handler said it.
  public func renamed(to id: FetchID) -> Event {
    switch self {
    case .appended(_, let items, let received): .appended(id, items, received: received)
    case .outlined(_, let page): .outlined(id, page)
    case .answered(_, let answer): .answered(id, answer)
    case .endedWithoutCompleting: .endedWithoutCompleting(id)
    default: self
    }
  }
}

/// Where a refresh begins.
public enum RefreshPoint: Sendable, Hashable {
  /// At the first page.
  case start
  /// At the page of that key; what comes before it is prepended when the reader turns back.
  case key(PageKey)
  /// At the page of the first visible item, or of the first visible place; earlier pages are prepended when the reader turns
  /// back.
  case anchor
}

/// How much of a new generation has to be in before it takes the place of the old one.
public enum RefreshExtent: String, Sendable, CaseIterable {
  /// Its first items; what lies behind them is fetched again when the policy says so (Paging 3).
  case firstPage
  /// All of it, so that the difference is the source's own; no policy is asked on the way.
  case everything
}
