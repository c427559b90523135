/// What a browser asks of whoever runs it.
public enum BrowseWish: Sendable, Hashable {
  /// Fetch again what is seen, and keep the place.
  case refresh
  /// Try again what failed.
  case retry
  /// Take the next policy.
  case nextPolicy
  /// Take the policy of that text, as `ramp` or `remainingTime(2)`.
  case policy(String)
  /// Go on with a search soon.
  case searchOn
  /// Stop the process, as Ctrl-Z does.
  case suspend
  /// Draw everything anew.
  case redraw
  case quit
}
