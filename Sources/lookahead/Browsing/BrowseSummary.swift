import Glibc
import Paging
import Scripting

/// The totals of a browsed source.
struct BrowseSummary {
  let statistics: Statistics
  let frames: FrameTimes
  let stalls: Int
  let stalled: Duration
  let mostHeld: Int
  let maxItems: Int?
  let elapsed: Instant
  let exit: RunExit

  /// As one JSON object; times of frames are in milliseconds, others in seconds.
  var json: String {
    var line = JSONLine()
    line.add("pages", statistics.pages)
    line.add("requests", statistics.requests)
    line.add("retries", statistics.retries)
    line.add("bytesReceived", statistics.bytesReceived)
    line.add("stalls", stalls)
    line.add("stallSeconds", stalled.inSeconds)
    line.add("mostItemsHeld", mostHeld)
    if let maxItems { line.add("maxItems", maxItems) }
    line.add("keys", frames.keys)
    line.add("frames", frames.count)
    line.add("frameMedianMs", frames.percentile(50))
    line.add("frameP99Ms", frames.percentile(99))
    line.add("frameWorstMs", frames.percentile(100))
    line.add("framesLate", frames.late)
    line.add("residentBytes", Self.peakMemory)
    line.add("seconds", elapsed.seconds)
    line.add("exitCode", Int(exit.rawValue))
    return line.text
  }

  /// The most memory that the process had so far, in bytes.
  private static var peakMemory: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}

/// The time from input to the screen that answers it.
struct FrameTimes {
  private var times: [Double] = []
  private var waitingSince: Instant?
  private(set) var keys = 0

  /// A key came.
  mutating func key(at now: Instant) {
    keys += 1
    waitingSince = waitingSince ?? now
  }

  /// Ignores the time the process was suspended.
  mutating func forget() { waitingSince = nil }

  /// The screen was drawn.
  mutating func drawn(at now: Instant) {
    guard let since = waitingSince else { return }
    waitingSince = nil
    times.append((now - since).inSeconds * 1000)
  }

  /// Frames that answered keys.
  var count: Int { times.count }

  /// In milliseconds; `percent` of a hundred frames were at least as fast.
  func percentile(_ percent: Double) -> Double {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return 0 }
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up)) - 1
    return sorted[max(0, min(sorted.count - 1, rank))]
  }

  /// Frames that took longer than one of a screen with 60 of them per second.
  var late: Int { times.count { $0 > 1000.0 / 60 } }
}
