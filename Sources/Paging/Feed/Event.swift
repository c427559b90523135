public import Items

/// What a feed is told.
public enum Event: Sendable, Equatable {
  /// The reader sees something else, or moves at another speed.
  case viewportMoved(Viewport)
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
  /// The moment asked for has arrived.
  case woke
  /// Let go of what can be fetched again.
  case memoryShort
}

extension Event {
  /// Whether the reader moved, and nothing else happened.
  var isMove: Bool { if case .viewportMoved = self { true } else { false } }
}

/// Where a refresh begins.
public enum RefreshPoint: Sendable, Hashable {
  /// At the first page.
  case start
  /// At the page of that key; what comes before it is prepended when the reader turns back.
  case key(PageKey)
  /// At the page of the first visible item; earlier pages are prepended when the reader turns back.
  case anchor
}

/// How much of a new generation has to be in before it takes the place of the old one.
public enum RefreshExtent: String, Sendable, CaseIterable {
  /// Its first items; what lies behind them is fetched again when the policy says so (Paging 3).
  case firstPage
  /// All of it, so that the difference is the source's own; no policy is asked on the way.
  case everything
}
