internal import Items

/// An id that is wanted.
struct PrefetchFlight: Sendable {
  /// The fetch in flight; nil while queued.
  var name: PrefetchID?
  /// Its valid place in a queue; earlier places are stale.
  var place = 0
  /// In order of arrival.
  var waiters: [PrefetchToken] = []
  /// Whether a prefetch wants it.
  var isPrefetched = false

  /// Whether nobody wants it any more.
  var isUnwanted: Bool { waiters.isEmpty && !isPrefetched }
}
