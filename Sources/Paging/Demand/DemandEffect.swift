public import Items

/// Names the fetch of one page over all attempts at it.
public struct DemandTicket: Hashable, Sendable {
  /// Counts up from 1.
  public let number: Int

  public init(number: Int) { self.number = number }
}

/// What became of the wish to fetch a page.
public enum DemandStart: Sendable, Hashable {
  /// The page is fetched now.
  case started(DemandTicket)
  /// It was being fetched already: wait for that.
  case joined(DemandTicket)
  /// There is nothing to wait for.
  case nothing(Reason)

  /// Why nothing is fetched.
  public enum Reason: Sendable, Hashable {
    /// No page comes behind the last one.
    case lastPageFetched
    /// Another page is being fetched.
    case busy(page: Int)
    /// Pages count from 1.
    case invalidPage(Int)
    /// The cursor of that page is not known before the page before it was fetched.
    case unknownKey(page: Int)
    /// The cursor of the next page was used before: the pages form a loop.
    case repeatedKey(PageKey)
  }

  /// What to wait for, if anything.
  public var ticket: DemandTicket? {
    switch self {
    case .started(let ticket), .joined(let ticket): ticket
    case .nothing: nil
    }
  }
}

/// What an item set on demand asks for or tells, in order.
public enum DemandEffect: Sendable, Equatable {
  /// Call the fetch handler.
  case fetch(FetchRequest)
  /// The answer is no longer wanted.
  case cancel(FetchID)
  /// Call `woke` then; the newest one holds.
  case wake(at: Instant)
  /// The page is in; `new` are the items that were not held, which may be none.
  case loaded(DemandTicket, page: Int, new: [Item])
  case failed(DemandTicket, page: Int, FetchFailure)
  /// Cancelled or reset: no page, and no failure either.
  case abandoned(DemandTicket)
  /// What happened, for traces.
  case note(Note)
}
