import Synchronization

/// The streams of the sources that a script returns, as far as they are known; said on one thread and asked on another.
final class ReturnedStreams: Sendable {
  private let known = Mutex<(names: Set<String>, areAllRead: Bool)?>(nil)

  /// The names of all of them; nil where the script returns none, or did not yet.
  var names: Set<String>? { known.withLock { $0?.names } }

  /// Whether this run reads all of them to their ends.
  var areAllRead: Bool { known.withLock { $0?.areAllRead ?? false } }

  /// Notes them, once the script has returned.
  func note(_ names: Set<String>, areAllRead: Bool) { known.withLock { $0 = (names, areAllRead) } }
}
