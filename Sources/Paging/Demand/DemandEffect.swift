public import Items

/// Identifies the fetch of one page across all its attempts.
public struct DemandTicket: Hashable, Sendable {
  /// Counts up from 1.
  public let number: Int

  public init(number: Int) { self.number = number }
}

/// The result of a request to fetch a page.
public enum DemandStart: Sendable, Hashable {
  /// The page is fetched now.
  case started(DemandTicket)
  /// It is already being fetched: wait for that.
  case joined(DemandTicket)
  /// Another page is being fetched: wait for that, and ask again.
  case busy(DemandTicket)
  /// Nothing to wait for.
  case nothing(Reason)

  /// Why nothing is fetched.
  public enum Reason: Sendable, Hashable {
    /// There is no page after the last one.
    case lastPageFetched
    /// The page number is less than 1.
    case invalidPage(Int)
    /// The cursor of the page is unknown until the page before it is fetched.
    case unknownKey(page: Int)
    /// The cursor of the next page was used before: the pages form a loop.
    case repeatedKey(PageKey)
  }

  /// What to wait for, if anything.
  public var ticket: DemandTicket? {
    switch self {
    case .started(let ticket), .joined(let ticket), .busy(let ticket): ticket
    case .nothing: nil
    }
  }
}

/// The effects of an item set on demand, to be carried out in order.
public enum DemandEffect: Sendable, Equatable {
  /// Call the fetch handler.
  case fetch(FetchRequest)
  /// The answer is no longer wanted.
  case cancel(FetchID)
  /// Call `woke` at that time; replaces any earlier request.
  case wake(at: Instant)
  /// The page was added; `new` are its items that were not held, possibly none.
  case loaded(DemandTicket, page: Int, new: [Item])
  case failed(DemandTicket, page: Int, FetchFailure)
  /// Cancelled or reset: neither a page nor a failure.
  case abandoned(DemandTicket)
  /// All pages have been fetched; with any disagreement with the source's total.
  case ended(TotalMismatch?)
  /// What happened, for traces.
  case note(Note)
}
