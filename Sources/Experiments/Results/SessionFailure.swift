public import Paging

/// Why a session has no score.
public enum SessionFailure: Error, Sendable, Hashable {
  /// The policy asks for nothing while the reader waits.
  case standstill(session: Int, at: Instant)
  /// More pages lie before what the reader looks at than a session may fetch.
  case tooFar(session: Int, item: Int, pageSize: Int)
  /// The session is larger than the lab simulates: more than this limit.
  case tooLarge(session: Int, limit: String)
  /// The account that pays for the experiment has no processor time left.
  case stopped(session: Int)
  /// The stall is not what the arrivals of the pages make it: a bug of ours.
  case brokenIdentity(session: Int, stall: Duration, latest: Duration)

  /// Pages that a session may fetch at most. A jump fetches all that lies before its end, which the reader waits for:
  /// beyond this a session takes seconds of real time, and hours of the reader's.
  public static let mostPages = 100_000
}

extension SessionFailure: CustomStringConvertible {
  /// What stands behind a policy's name in a report.
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
    case .brokenIdentity(let session, let stall, let latest):
      "a bug of the lab: session \(session) waited \(stall.inSeconds) s, its latest page came \(latest.inSeconds) s late"
    }
  }
}
