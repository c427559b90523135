import Glibc
import Hosting
import Lua
import Paging
import Scripting
import Synchronization

/// What a worker tells its engine, an event a line on standard output; any thread may.
final class WorkEvents: Sendable {
  /// Partitions by how they ended.
  struct Counts: Sendable {
    var done = 0
    /// Those of them that were done before.
    var doneBefore = 0
    var failed = 0
    /// Those that failed for a passing reason.
    var passing = 0
  }

  private struct State {
    var counts = Counts()
    var epochs: [String: Int] = [:]
    var tellsPositionAt: [String: Instant] = [:]
    var superseded: [String] = []
  }

  private let state = Mutex(State())
  private let isQuiet: Bool

  /// Nothing was told yet. A quiet one, of no engine, only counts.
  init(isQuiet: Bool = false) { self.isQuiet = isQuiet }

  var counts: Counts { state.withLock(\.counts) }

  /// Partitions that were taken over since the last call.
  func takeSuperseded() -> [String] {
    state.withLock { state in
      defer { state.superseded = [] }
      return state.superseded
    }
  }

  func ready() {
    tell("ready") { line in
      line.add("version", 1)
      line.add("pid", Int(getpid()))
    }
  }

  /// Tells what happened to a part; called on the sink's thread.
  func tell(_ event: PartEvent) {
    switch event {
    case .begun(let id, let epoch, let items):
      state.withLock { $0.epochs[id] = epoch }
      tell("started", id, epoch) { $0.add("items", items) }
    case .position(let id, let epoch, let pages, let items):
      let now = Instant.ofMonotonicClock
      let isDue = state.withLock { state in
        guard now >= state.tellsPositionAt[id] ?? .zero else { return false }
        state.tellsPositionAt[id] = now + .milliseconds(200)
        return true
      }
      guard isDue else { return }
      tell("position", id, epoch) { line in
        line.add("pages", pages)
        line.add("items", items)
      }
    case .done(let record, let isNew):
      forget(record.id) { counts in
        counts.done += 1
        if !isNew { counts.doneBefore += 1 }
      }
      tell("done", record.id, record.epoch) { line in
        line.add("items", record.items)
        line.add("pages", record.pages)
        line.add("isNew", isNew)
        if let bookmark = record.bookmark { line.add(raw: "bookmark", bookmark) }
      }
    case .superseded(let id, let epoch):
      state.withLock { $0.superseded.append(id) }
      failed(
        id, epoch, code: "superseded",
        "another worker has taken it over: nothing more is written here", isPassing: false)
    case .incomplete(let id, let epoch):
      failed(
        id, epoch, code: "incomplete", "its source ended without all that it says to have", isPassing: false)
    }
  }

  /// A partition could not be read.
  func failed(_ id: String, _ error: LuaError) {
    let epoch = state.withLock { $0.epochs[id] ?? 0 }
    failed(id, epoch, code: error.code ?? "script", error.message, isPassing: RunExit(error) == .passing)
  }

  private func failed(_ id: String, _ epoch: Int, code: String, _ message: String, isPassing: Bool) {
    forget(id) { counts in
      counts.failed += 1
      if isPassing { counts.passing += 1 }
    }
    tell("failed", id, epoch) { line in
      line.add("code", code)
      line.add("message", message)
      line.add("isPassing", isPassing)
    }
  }

  private func forget(_ id: String, _ count: (inout Counts) -> Void) {
    state.withLock { state in
      state.epochs[id] = nil
      state.tellsPositionAt[id] = nil
      count(&state.counts)
    }
  }

  func progress(_ statistics: Statistics) {
    tell("progress") { line in
      line.add(statistics)
      line.add("inFlight", statistics.inFlight)
    }
  }

  func permits(_ news: PermitNews) {
    tell("permits") { line in
      line.add("host", news.host)
      line.add("want", news.want)
      line.add("used", news.used)
      line.add("unused", news.unused)
      guard let rate = news.rate else { return }
      line.add(raw: "rate", "{\"requests\":\(rate.requests),\"per\":\(rate.per.inSeconds)}")
    }
  }

  func limited(_ host: String, _ wait: Duration) {
    tell("limited") { line in
      line.add("host", host)
      line.add("seconds", max(0, wait.inSeconds))
    }
  }

  func end(_ statistics: Statistics, seconds: Double) {
    let counts = counts
    tell("end") { line in
      line.add(statistics)
      line.add("seconds", seconds)
      line.add(raw: "partitions", "{\"done\":\(counts.done),\"failed\":\(counts.failed)}")
    }
  }

  private func tell(_ event: String, _ id: String, _ epoch: Int, _ members: (inout JSONLine) -> Void) {
    tell(event) { line in
      line.add("id", id)
      line.add("epoch", epoch)
      members(&line)
    }
  }

  private func tell(_ event: String, _ members: (inout JSONLine) -> Void) {
    guard !isQuiet else { return }
    var line = JSONLine()
    line.add("event", event)
    members(&line)
    let text = line.text + "\n"
    state.withLock { _ in StandardOutput.write(text) }
  }
}

extension JSONLine {
  /// The totals of a worker.
  mutating func add(_ statistics: Statistics) {
    add("items", statistics.items)
    add("pages", statistics.pages)
    add("requests", statistics.requests)
    add("retries", statistics.retries)
    add("bytes", statistics.bytesReceived)
  }
}
