/// How a fetch handler ended.
public enum FetchAnswer: Sendable, Equatable {
  /// The handler returned a page.
  case page(Page)
  /// `context:complete(more)`, after any number of appended items. `nextKey` and `total` are what the handler
  /// set. A cursor that says more but names no key is asked again without one: the script keeps its own
  /// place.
  case completed(more: Bool, nextKey: PageKey? = nil, total: Int? = nil)
  /// The handler raised an error or called `context:fail`.
  case failed(FetchFailure)
}

/// Why a fetch brought no page.
public struct FetchFailure: Error, Sendable, Hashable {
  /// As scripts see it: a code of the host, of the script, or one of those below.
  public var code: String
  /// What happened, for people.
  public var message: String
  /// Whether the same fetch may succeed when made again.
  public var isTransient: Bool
  /// How long the other side asked to wait; makes the failure a transient one.
  public var retryAfter: Duration?
  /// The status of the answer that was the failure.
  public var status: Int?

  public init(
    code: String, message: String, isTransient: Bool = false, retryAfter: Duration? = nil, status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.isTransient = isTransient || retryAfter != nil
    self.retryAfter = retryAfter
    self.status = status
  }
}

extension FetchFailure {
  static let notCompleted = FetchFailure(
    code: "notCompleted", message: "the fetch handler ended without a page and without completing")

  static func timeout(after deadline: Duration) -> FetchFailure {
    FetchFailure(
      code: "timeout", message: "no answer after \(deadline.inSeconds) s", isTransient: true)
  }

  /// A cursor that led back to a key it had before.
  public static func repeatedKey(_ key: PageKey) -> FetchFailure {
    FetchFailure(
      code: "repeatedKey", message: "the next key is \(key), which was already used: the pages form a loop")
  }
}
