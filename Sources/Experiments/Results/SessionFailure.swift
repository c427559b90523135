public import Paging

/// Why a session has no score.
public enum SessionFailure: Error, Sendable, Hashable {
  /// The policy requests nothing while the reader waits.
  case standstill(session: Int, at: Instant)
  /// The reader is more pages away than a session may fetch.
  case tooFar(session: Int, item: Int, pageSize: Int)
  /// The session exceeds a limit of the lab.
  case tooLarge(session: Int, limit: String)
  /// The account that pays for the experiment is out of processor time.
  case stopped(session: Int)
  /// The policy raised an error, or answered what is no verdict.
  case policy(session: Int, message: String)
  /// The stall does not match the arrivals of the pages: a bug in the lab.
  case brokenIdentity(session: Int, stall: Duration, latest: Duration)

  /// Maximum pages a session may fetch. A jump fetches everything before its target, which the reader waits for: beyond
  /// this a session takes seconds of real time, and hours of the reader's.
  public static let mostPages = 100_000
}

extension SessionFailure: CustomStringConvertible {
  /// The text after a policy's name in a report.
  public var description: String {
    switch self {
    case .standstill(let session, let at):
      "stands still in session \(session) after \(at.seconds) s: it asks for no page, and the reader waits for one"
    case .tooFar(let session, let item, let pageSize):
      "session \(session) goes to item \(item), and pages come one behind the other: more than "
        + "\(Self.mostPages) pages of \(pageSize) lie before it; larger pages (pageSize) get there"
    case .tooLarge(let session, let limit):
      "session \(session) is larger than the lab simulates: more than \(limit)"
    case .stopped(let session):
      "session \(session) was stopped: the experiment has used all the processor time that there was for it"
    case .policy(let session, let message):
      "session \(session): \(message)"
    case .brokenIdentity(let session, let stall, let latest):
      "a bug of the lab: session \(session) waited \(stall.inSeconds) s, its latest page came \(latest.inSeconds) s late"
    }
  }
}
