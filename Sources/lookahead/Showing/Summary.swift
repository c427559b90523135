import Glibc
import Hosting
import Lua
import Paging
import Scripting
import Text

/// The totals of a run.
struct Summary {
  private let statistics: Statistics
  private let coverage: Coverage
  private let report: SinkReport
  private let elapsed: Double
  /// How the run ended, and in the end how the process does.
  var exit: RunExit
  /// Whether items go anywhere: those of a dry run, or of a script that is only printed, do not.
  var hasOutput = true

  init(_ workflow: Workflow, _ report: SinkReport, elapsed: Instant, exit: RunExit) {
    statistics = workflow.statistics
    coverage = workflow.coverage
    self.report = report
    self.elapsed = elapsed.seconds
    self.exit = exit
  }

  /// Whether anything was read or requested.
  var hasBegun: Bool { statistics.items + statistics.pages + statistics.requests > 0 }

  /// Items that are there now: of those that were read, what an output that failed has not taken is not.
  var items: Int { report.failure == nil ? statistics.items : max(0, report.items.values.reduce(0, +)) }

  /// Rows that are no longer there: those that the source said are gone, and those that it did not bring again.
  private var removed: Int {
    report.changes.streams.values.reduce(statistics.removals) { max(0, $0 + $1.removed - $1.absent) }
  }

  private var rate: Double { elapsed > 0 ? Double(items) / elapsed : 0 }

  /// `300 items, 15 pages, … in 0.02 s (15,000 items/s)`
  var line: String {
    let read = Self.amount(statistics.items, "item")
    let isAll = items == statistics.items
    var parts = [
      isAll ? read : "\(Amount.count(items)) of \(read) written", Self.amount(statistics.pages, "page"),
    ]
    if coverage.missing > 0 { parts.append(Amount.count(coverage.missing) + " missing") }
    if coverage.mayMiss > 0 { parts.append("up to \(Amount.count(coverage.mayMiss)) may be missed") }
    if statistics.refreshes > 0 { parts.append(Self.amount(statistics.refreshes, "refresh", "refreshes")) }
    if removed > 0 { parts.append(Amount.count(removed) + " removed") }
    if statistics.requests > 0 { parts.append(Self.amount(statistics.requests, "request")) }
    if statistics.retries > 0 { parts.append(Self.amount(statistics.retries, "retry", "retries")) }
    if statistics.duplicates > 0 {
      parts.append(Self.amount(statistics.duplicates, "duplicate") + " dropped")
    }
    if statistics.bytesReceived > 0 { parts.append(Amount.bytes(statistics.bytesReceived) + " received") }
    if statistics.stalls > 0 { parts.append(Self.amount(statistics.stalls, "stall")) }
    return parts.joined(separator: ", ")
      + " in \(Amount.duration(elapsed)) (\(Amount.count(Amount.whole(rate.rounded(.down)))) items/s)"
  }

  /// What the line says, for those who read logs.
  var numbers: [(name: String, value: LuaValue)] {
    [
      ("items", .integer(Int64(items))), ("pages", .integer(Int64(statistics.pages))),
      ("requests", .integer(Int64(statistics.requests))), ("retries", .integer(Int64(statistics.retries))),
      ("bytes", .integer(Int64(statistics.bytesReceived))), ("seconds", .number(elapsed)),
    ]
  }

  /// The totals as one JSON object.
  var json: String {
    var line = JSONLine()
    line.add("items", items)
    if items != statistics.items { line.add("itemsRead", statistics.items) }
    line.add("pages", statistics.pages)
    line.add("refreshes", statistics.refreshes)
    line.add("removed", removed)
    line.add("requests", statistics.requests)
    line.add("retries", statistics.retries)
    line.add("duplicatesDropped", statistics.duplicates)
    line.add("bytesReceived", statistics.bytesReceived)
    line.add("bytesWritten", report.bytes)
    line.add("stalls", statistics.stalls)
    line.add("seconds", elapsed)
    line.add("itemsPerSecond", rate)
    var streams = JSONLine()
    for (name, count) in report.items.sorted(by: { $0.key < $1.key }) { streams.add(name, count) }
    line.add(raw: "streams", streams.text)
    line.add("missing", coverage.missing)
    line.add("mayMiss", coverage.mayMiss)
    line.add("rowsMoved", report.changes.streams.values.reduce(0) { $0 + $1.moved })
    line.add("readingsLeft", report.changes.left.count)
    line.add("complete", exit == .done && coverage.isWhole && !report.isClosedPipe && hasOutput)
    line.add("exitCode", Int(exit.rawValue))
    return line.text
  }

  private static func amount(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(Amount.count(count)) \(count == 1 ? one : many ?? one + "s")"
  }
}
