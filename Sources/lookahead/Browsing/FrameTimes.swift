import Paging

/// How long it took from keys that could be read to the screen that answers them.
struct FrameTimes {
  private var times: [Double] = []
  private var waitingSince: Instant?
  private(set) var keys = 0

  /// A key came.
  mutating func key(at now: Instant) {
    keys += 1
    waitingSince = waitingSince ?? now
  }

  /// Nobody looked meanwhile: the process was stopped.
  mutating func forget() { waitingSince = nil }

  /// The screen was drawn.
  mutating func drawn(at now: Instant) {
    guard let since = waitingSince else { return }
    waitingSince = nil
    times.append((now - since).inSeconds * 1000)
  }

  /// Frames that answered keys.
  var count: Int { times.count }

  /// In milliseconds; so many of a hundred frames were at least as fast.
  func percentile(_ percent: Double) -> Double {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return 0 }
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up)) - 1
    return sorted[max(0, min(sorted.count - 1, rank))]
  }

  /// Frames that took longer than one of a screen with 60 of them per second.
  var late: Int { times.count { $0 > 1000.0 / 60 } }
}
