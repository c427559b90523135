public import Paging

/// Why a session has no score.
public enum SessionFailure: Error, Sendable, Hashable {
  /// The policy asks for nothing while the reader waits.
  case standstill(session: Int, at: Instant)
  /// More pages lie before what the reader looks at than a session may fetch.
  case tooFar(session: Int, item: Int, pageSize: Int)
  /// The session is larger than the lab simulates: what there is more of than so much.
  case tooLarge(session: Int, limit: String)
  /// Whoever it is run for has no processor time left.
  case stopped(session: Int)
  /// The stall is not what the arrivals of the pages make it: a bug of ours.
  case brokenIdentity(session: Int, stall: Duration, latest: Duration)
}

extension SessionFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .standstill(let session, let at):
      "stands still in session \(session) after \(at.seconds) s: it asks for no page, and the reader waits for one"
    case .tooFar(let session, let item, let pageSize):
      "session \(session) goes to item \(item), and pages come one behind the other: more than "
        + "\(SessionPlan.mostPages) pages of \(pageSize) lie before it; larger pages (pageSize) get there"
    case .tooLarge(let session, let limit):
      "session \(session) is larger than the lab simulates: more than \(limit)"
    case .stopped(let session):
      "session \(session) was stopped: the experiment has used all the processor time that there was for it"
    case .brokenIdentity(let session, let stall, let latest):
      "a bug of the lab: session \(session) waited \(stall.inSeconds) s, its latest page came \(latest.inSeconds) s late"
    }
  }
}
