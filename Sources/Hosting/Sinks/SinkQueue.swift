import Glibc
import Items
import Paging

/// A sink: the queued deliveries, and the thread that passes them to the writer.
final class SinkQueue: Sink {
  private indirect enum Beginning {
    case reading(ReadingRequest)
    case step(key: String, parameters: String)
  }

  private struct Waiting {
    let delivery: Delivery
    /// What to begin, instead of a delivery.
    var beginning: Beginning?
    /// Nil once the delivery was answered: on arrival, or as soon as there was room again.
    var reply: (@Sendable (HostReply) -> Void)?

    /// Bytes that it takes: of thousands of small ones, most is not what they deliver.
    var size: Int {
      delivery.byteCount + delivery.itemCount * MemoryLayout<Item>.stride + MemoryLayout<Waiting>.stride
    }
  }

  private struct State {
    var waiting: [Waiting] = []
    var waitingBytes = 0
    var isWriting = false
    var isFinished = false
    var report = SinkReport()
    /// The answer from now on.
    var failure: HostFailure?
  }

  private let state = Monitor(State())
  private let worker = Worker(name: "sink")
  private let defaultStream: String
  /// What a reading does to earlier ones, where that was asked for: items of no reading can't be treated so.
  private let readings: WriteMode?
  /// How long deliveries gather that nobody waits for: little where another process may take over what this one reads.
  private let gathering: Duration
  /// Used only by the worker's jobs.
  private nonisolated(unsafe) let writer: any SinkWriter
  /// When something was last written, and whether it is yet to be committed; for the worker's jobs.
  private nonisolated(unsafe) var writtenAt = ContinuousClock.now - .seconds(1)
  private nonisolated(unsafe) var isUncommitted = false
  /// Bytes that are yet to be written until the run is in full swing; nil behind that.
  private nonisolated(unsafe) var bytesToStart: Int? = SinkQueue.start
  /// Items that were written and are kept back to be committed with others, by stream.
  private nonisolated(unsafe) var keptBack: [String: Int] = [:]
  /// Items of steps, which are in the output once these end: by step and stream.
  private nonisolated(unsafe) var ofSteps: [Int: [String: Int]] = [:]
  /// Those of steps that the run does not bring to their ends: they are there once it has ended well.
  private nonisolated(unsafe) var ofCutSteps: [String: Int] = [:]

  init(_ writer: any SinkWriter, _ configuration: SinkConfiguration) {
    self.writer = writer
    defaultStream = configuration.defaultStream
    readings = configuration.readingsOnly
    let isShared = configuration.parts != nil || configuration.state.isShared
    gathering = .milliseconds(isShared ? 2 : 10)
    // A pipe without a reader is to be a write error, not a signal that ends the program.
    worker.submit {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
  }

  func accept(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void) -> HostReply? {
    let refusal =
      readings != nil && delivery.reading == nil && delivery.itemCount > 0
      ? readings.map(Self.ofNoReading) : nil
    let (answer, mustStart) = state.withLock { state -> (HostReply?, Bool) in
      // Nothing counts from then on: a step whose items were refused is not over.
      note(refusal.map { SinkError($0) }, in: &state)
      if let failure = state.failure { return (.failed(failure), false) }
      guard !state.isFinished else {
        return (.failed(HostFailure(.invalid, "the sink is closed already")), false)
      }
      let isBehind = state.waitingBytes >= SinkQueue.comfort
      let waiting = Waiting(delivery: delivery, beginning: nil, reply: isBehind ? reply : nil)
      state.waiting.append(waiting)
      state.waitingBytes += waiting.size
      defer { state.isWriting = true }
      return (isBehind ? nil : .done, !state.isWriting)
    }
    if mustStart { worker.submit { self.writeWaiting() } } else if answer == nil { state.wakeAll() }
    return answer
  }

  /// Items that a script emits itself belong to no reading that could be added to, or compared with, the one before.
  private static func ofNoReading(_ write: WriteMode) -> HostFailure {
    HostFailure(
      .invalid,
      "--write \(write.rawValue) is for sources that the script returns: items that it emits itself are written anew by each run; "
        + "return the source, or leave --write \(write.rawValue) out")
  }

  func begin(_ request: ReadingRequest, reply: @escaping @Sendable (HostReply) -> Void) {
    begin(.reading(request), reply)
  }

  func begin(step key: String, _ parameters: String, reply: @escaping @Sendable (HostReply) -> Void) {
    begin(.step(key: key, parameters: parameters), reply)
  }

  private func begin(_ beginning: Beginning, _ reply: @escaping @Sendable (HostReply) -> Void) {
    let mustStart = state.withLock { state in
      let waiting = Waiting(delivery: Delivery(), beginning: beginning, reply: reply)
      state.waiting.append(waiting)
      state.waitingBytes += waiting.size
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if mustStart { worker.submit { self.writeWaiting() } } else { state.wakeAll() }
  }

  func publish() {
    worker.submit {
      guard self.state.withLock({ $0.failure }) == nil else { return }
      do throws(SinkError) { try self.writer.publish() } catch { self.note(error) }
    }
  }

  func leave(partition id: String) {
    worker.submit {
      guard self.state.withLock({ $0.failure }) == nil else { return }
      do throws(SinkError) { try self.writer.leave(partition: id) } catch { self.note(error) }
    }
  }

  func finish(_ ending: SinkEnding) -> SinkReport {
    let isFirst = state.withLock { state in
      defer { state.isFinished = true }
      return !state.isFinished
    }
    state.wakeAll()
    if isFirst { worker.submit { self.close(ending) } }
    worker.finish()
    return state.withLock { $0.report }
  }

  private func writeWaiting() {
    repeat {
      gather()
      while let group = nextGroup() {
        write(group)
        writtenAt = .now
        leaveStart(group)
        gather()
      }
      awaitMore()
    } while commitRest()
  }

  /// Once the run is in full swing, gives back what only its start needed.
  private func leaveStart(_ group: [Waiting]) {
    guard let rest = bytesToStart else { return }
    let left = rest - group.reduce(0) { $0 + $1.size }
    bytesToStart = left > 0 ? left : nil
    if left <= 0 { LibraryMemory.release() }
  }

  /// Lets what comes fast gather for a moment, so that it shares what it costs to commit, unless somebody waits for it, or there is
  /// enough of it.
  private func gather() {
    let rest = gathering - writtenAt.duration(to: .now)
    guard rest > .zero else { return }
    state.wait(upTo: rest) { state in
      if state.waiting.isEmpty { return !isUncommitted || state.isFinished }
      return state.isFinished || state.waitingBytes >= SinkQueue.enough
        || state.waiting.contains { $0.reply != nil }
    }
  }

  /// Waits for more, where what was written last is kept back for it.
  private func awaitMore() {
    guard let dueAt = writer.dueAt else { return }
    let rest = ContinuousClock.now.duration(to: dueAt)
    if rest > .zero { state.wait(upTo: rest) { !$0.waiting.isEmpty || $0.isFinished } }
  }

  /// Commits what was begun and brought nothing yet, or what was kept back; false if there is none.
  private func commitRest() -> Bool {
    // What is kept back at the end is committed as the writer is closed.
    let isOver = state.withLock { $0.isFinished && $0.waiting.isEmpty }
    guard isUncommitted, writer.dueAt == nil || !isOver else { return false }
    isUncommitted = false
    do throws(SinkError) { try writer.commit() } catch {
      loseKeptBack()
      note(error)
    }
    isUncommitted = writer.dueAt != nil
    if !isUncommitted { keptBack = [:] }
    return true
  }

  /// The deliveries to write next, together; nil if none wait.
  private func nextGroup() -> [Waiting]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWriting = isUncommitted
        return nil
      }
      var items = 0
      var bytes = 0
      let count = state.waiting.firstIndex {
        items += $0.delivery.items.count + $0.delivery.operations.count
        bytes += $0.size
        return items > SinkQueue.groupLimit || bytes > SinkQueue.comfort / 2
      }
      let group = state.waiting.prefix(max(1, count ?? state.waiting.count))
      state.waiting.removeFirst(group.count)
      return Array(group)
    }
  }

  private func write(_ group: [Waiting]) {
    var written: ArraySlice<Waiting> = []
    var brought: [String: Int] = [:]
    var problem: SinkError?
    var begun = 0
    if state.withLock({ $0.failure }) == nil {
      do throws(SinkError) {
        for (index, waiting) in group.enumerated() {
          if let beginning = waiting.beginning {
            // Whoever waits goes on meanwhile: it does not count on anything that is yet to be committed.
            waiting.reply?(try begin(beginning))
            begun = index + 1
          } else {
            try writer.write(waiting.delivery)
            count(waiting.delivery, in: &brought)
          }
          written = group[...index]
        }
      } catch {
        problem = error
      }
      // Where nothing was brought, nothing is lost: it is committed with what comes next.
      isUncommitted = group.allSatisfy { $0.beginning != nil }
      do throws(SinkError) {
        if !isUncommitted { try writer.commit() }
        if writer.dueAt == nil { keptBack = [:] }
        isUncommitted = isUncommitted || writer.dueAt != nil
      } catch {
        written = []
        brought = [:]
        loseKeptBack()
        problem = problem ?? error
      }
    }
    let failure = settle(group, brought, problem)
    for (index, waiting) in group.enumerated() where waiting.beginning == nil || index >= begun {
      let isWritten = index < written.endIndex
      waiting.reply?(isWritten ? .done : failure.map { .failed($0) } ?? .done)
    }
    if failure == nil { letGoOn() }
  }

  /// Answers who waits for room while there is still something to write, so that reading and writing go on together.
  private func letGoOn() {
    let replies = state.withLock { state -> [@Sendable (HostReply) -> Void] in
      guard state.waitingBytes < SinkQueue.comfort else { return [] }
      return state.waiting.indices.compactMap { index in
        guard state.waiting[index].beginning == nil else { return nil }
        return state.waiting[index].reply.take()
      }
    }
    for reply in replies { reply(.done) }
  }

  /// A reading that is refused leaves the output as it is.
  private func begin(_ beginning: Beginning) throws(SinkError) -> HostReply {
    do throws(SinkError) {
      switch beginning {
      case .reading(let request): return .begun(try writer.begin(request))
      case .step(let key, let parameters):
        let begun = try writer.begin(step: key, parameters)
        ofSteps[begun.id] = nil
        return .step(begun)
      }
    } catch  where error.failure.code == .invalid {
      return .failed(error.failure)
    }
  }

  /// Counts items that were written, by stream: those of a step with its end, since before they are not in the output.
  private func count(_ delivery: Delivery, in brought: inout [String: Int]) {
    let name = delivery.stream ?? defaultStream
    guard let step = delivery.step else { return brought[name, default: 0] += delivery.itemCount }
    ofSteps[step, default: [:]][name, default: 0] += delivery.itemCount
    guard let end = delivery.stepEnd, let counts = ofSteps.removeValue(forKey: step) else { return }
    switch end {
    case .over: brought.merge(counts, uniquingKeysWith: +)
    case .cut: ofCutSteps.merge(counts, uniquingKeysWith: +)
    }
  }

  /// Notes what was written and records the first failure, which it returns.
  private func settle(
    _ group: [Waiting], _ brought: [String: Int], _ problem: SinkError?
  ) -> HostFailure? {
    state.withLock { state in
      for waiting in group { state.waitingBytes -= waiting.size }
      state.report.items.merge(brought, uniquingKeysWith: +)
      if writer.dueAt != nil { keptBack.merge(brought, uniquingKeysWith: +) }
      note(problem, in: &state)
      return state.failure
    }
  }

  /// What was written and is not committed is gone: it does not count.
  private func loseKeptBack() {
    state.withLock { state in
      for (name, count) in keptBack { state.report.items[name, default: 0] -= count }
    }
    keptBack = [:]
  }

  private func note(_ problem: SinkError) { state.withLock { note(problem, in: &$0) } }

  private func note(_ problem: SinkError?, in state: inout State) {
    guard let problem, state.failure == nil else { return }
    state.failure = problem.failure
    (state.report.isClosedPipe, state.report.isGivenUp) = (problem.isClosedPipe, problem.isGivenUp)
    state.report.isDiskFailure = problem.isDiskFailure
    if !problem.isClosedPipe && !problem.isGivenUp { state.report.failure = problem.failure }
  }

  private func close(_ ending: SinkEnding) {
    while let group = nextGroup() { write(group) }
    var problem: SinkError?
    let hasFailed = state.withLock { $0.failure != nil }
    do throws(SinkError) {
      try writer.close(hasFailed ? .broken : ending)
    } catch {
      problem = error
      loseKeptBack()
    }
    state.withLock { state in
      note(problem, in: &state)
      if state.failure == nil, ending == .whole {
        state.report.items.merge(ofCutSteps, uniquingKeysWith: +)
      }
      // A run that failed has not written what waits.
      if state.failure != nil {
        for (name, count) in writer.waitingItems { state.report.items[name, default: 0] -= count }
      }
      state.report.bytes = writer.bytes
      state.report.remains = writer.remains
      state.report.changes = writer.changes
    }
  }

  /// Bytes that may be queued before the run has to wait.
  private static let comfort = 2 << 20
  /// Bytes for which what it costs to commit is little.
  private static let enough = 512 << 10
  /// Bytes after which all that a run does was done before.
  private static let start = 64 << 10
  /// Maximum items written together.
  private static let groupLimit = 10_000
}
