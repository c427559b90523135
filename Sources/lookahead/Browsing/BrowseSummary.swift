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
