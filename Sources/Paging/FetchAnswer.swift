/// The result of a fetch handler.
public enum FetchAnswer: Sendable, Equatable {
  /// The handler returned a page.
  case page(Page)
  /// `context:complete(more)`, after any number of appended items. `nextKey` and `total` are as set by the handler. If
  /// more is to come but no key is set, the next fetch has no key: the script keeps its own position.
  case completed(more: Bool, nextKey: PageKey? = nil, total: Int? = nil)
  /// The handler raised an error or called `context:fail`.
  case failed(FetchFailure)
}

/// Why a fetch failed.
public struct FetchFailure: Error, Sendable, Hashable {
  /// As scripts see it: a code of the host or the script, or one of those below.
  public var code: String
  /// What happened, for users.
  public var message: String
  /// Whether the same fetch may succeed if repeated.
  public var isTransient: Bool
  /// How long the server asked to wait; makes the failure transient.
  public var retryAfter: Duration?
  /// The HTTP status of the failed response.
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
  /// Whether a list in a file is another since its place was told, so that nothing that was read of it belongs to this one.
  public var isOfAnotherList: Bool { code == HostFailure.Code.io.rawValue && status == 410 }

  static let notCompleted = FetchFailure(
    code: "notCompleted", message: "the fetch handler ended without a page and without completing")

  static func timeout(after deadline: Duration) -> FetchFailure {
    FetchFailure(
      code: "timeout", message: "no answer after \(deadline.inSeconds) s", isTransient: true)
  }

  /// A cursor that repeats an earlier key.
  public static func repeatedKey(_ key: PageKey, isBackward: Bool = false) -> FetchFailure {
    FetchFailure(
      code: "repeatedKey",
      message:
        "the \(isBackward ? "previous" : "next") key is \(key), which was already used: the pages form a loop"
    )
  }
}
