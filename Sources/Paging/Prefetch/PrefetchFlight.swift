internal import Items

/// One id that somebody wants.
struct PrefetchFlight: Sendable {
  /// Of the fetch under way; nil while it waits for a slot.
  var name: PrefetchID?
  /// Its place in a queue; places of before count no longer.
  var place = 0
  /// In the order in which they came.
  var waiters: [PrefetchToken] = []
  /// A prefetch wants it.
  var isPrefetched = false

  /// Nobody is left.
  var isUnwanted: Bool { waiters.isEmpty && !isPrefetched }
}
