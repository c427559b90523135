import Experiments
import Paging

/// The stall of a session, computed a second time from when its items came. A difference is a bug of ours.
struct StallCheck {
  /// When items came that had not come before: from that item on, at that time.
  private var arrivals: [(item: Int, at: Instant)] = []
  /// Items that came at some time, counted from the start.
  private var reached = 0
  private var isDiverted = false

  /// A wait has changed the reader's way, or items before it were dropped: then waits don't follow from arrivals alone.
  mutating func divert() { isDiverted = true }

  /// The items before that one are held.
  mutating func hold(before end: Int, at now: Instant) {
    guard end > reached else { return }
    arrivals.append((reached, now))
    reached = end
  }

  /// The identity that holds for every schedule (lab.md 2.2, I1): the stall is the latest that any items came after their
  /// nominal deadline.
  func check(_ stall: Duration, _ plan: SessionPlan) throws(SessionFailure) {
    guard !isDiverted else { return }
    var latest = Duration.zero
    for arrival in arrivals {
      if let deadline = plan.deadline(of: arrival.item) { latest = max(latest, arrival.at - deadline) }
    }
    if latest != stall { throw .brokenIdentity(session: plan.session, stall: stall, latest: latest) }
  }
}
