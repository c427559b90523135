public import Items

/// An input of a feed.
public enum Event: Sendable, Equatable {
  /// The viewport or its velocity changed; in items from the first held one.
  case viewportMoved(Viewport)
  /// The viewport changed, in places of the source, whatever is held.
  case placesViewed(Viewport)
  /// A forward reader has passed so many items; the feed estimates its speed.
  case advanced(to: Int)
  /// The reader wants one more page on that side, whatever the policy says.
  case pageRequested(Direction)
  /// A handler called `context:append`; `received` counts what the source sent.
  case appended(FetchID, [Item], received: Int)
  /// The source says that these items are gone; they are, in the turn of the page that is fetched.
  case removed(FetchID, [ItemID])
  /// A handler has its page and still has to produce the items: its consequences are known, so the next page can be requested
  /// meanwhile. The page has no items; `answered` brings them.
  case outlined(FetchID, Page)
  /// A fetch handler is done.
  case answered(FetchID, FetchAnswer)
  /// A handler returned nothing and never completed.
  case endedWithoutCompleting(FetchID)
  /// The reader has applied the change sets up to that revision.
  case applied(revision: Int)
  /// Start over; held items stay until the new generation has as much as `refreshExtent` requires.
  case refreshed(RefreshPoint)
  /// The caller edits the held items. Answers of earlier fetches don't undo it, those of later ones do: the source is expected
  /// to know by then. An inserted item belongs to the page before it and is dropped with it.
  case edited(Edit)
  /// Retry what failed or stopped, if anything.
  case retried
  /// Stop what is in flight; nothing is started until the viewport moves, a retry or a refresh.
  case cancelled
  /// The reader is gone: stop what is in flight, and ignore further events.
  case closed
  /// The requested wake is due.
  case woke
  /// Release what can be fetched again.
  case memoryShort
}

extension Event {
  /// Whether it ends a fetch.
  public var endsFetch: Bool {
    switch self {
    case .answered, .endedWithoutCompleting: true
    default: false
    }
  }

  /// The same event for another fetch, if it came from a fetch handler.
  public func renamed(to id: FetchID) -> Event {
    switch self {
    case .appended(_, let items, let received): .appended(id, items, received: received)
    case .removed(_, let ids): .removed(id, ids)
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
  /// At the page of that key; earlier pages are prepended when the reader turns back.
  case key(PageKey)
  /// At the page of the first visible item, or of the first visible place; earlier pages are prepended when the reader turns
  /// back.
  case anchor
}

/// How much of a new generation has to land before it replaces the old one.
public enum RefreshExtent: String, Sendable, CaseIterable {
  /// Its first items; the rest is refetched when the policy says so (Paging 3).
  case firstPage
  /// All of it, so that the difference is the source's own; no policy is asked meanwhile.
  case everything
}
