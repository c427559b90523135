import Glibc
import Hosting
import Items
import Lua
import Paging
import Scripting
import Text

/// A workflow that reads the partitions which come on standard input, so many at once, and asks for permits where an engine
/// grants them.
final class WorkProgram: Program {
  /// What it does beside the workflow.
  struct Surroundings {
    /// Partitions that are read at once.
    var atOnce = 8
    /// Whether permits come on standard input.
    var hasGate = false
    /// A partition is not read any further.
    var leave: (_ id: String) -> Void = { _ in }
    /// Whether standard input is watched from now on.
    var listen: (Bool) -> Void = { _ in }
    /// An error for a person.
    var say: (String) -> Void = { _ in }
    /// Asks for a partition that failed to be read again.
    var advice: (WorkPartition) -> String = { _ in "" }
  }

  private let workflow: Workflow
  private let events: WorkEvents
  private let surroundings: Surroundings
  private var input = WorkInput()
  private var waiting = WaitingPartitions()
  private var reading: [HostCallID: WorkPartition] = [:]
  private var calls: [String: HostCallID] = [:]
  private var failures: [HostCallID: LuaError] = [:]
  private var permits = PermitGate()
  /// Requests that wait for a permit.
  private var requests: [HostCallID: HTTPRequest] = [:]
  private var nextCall = 1 << 50
  private var isDismissed = false
  private var isOver = false
  /// Whether an order made no sense.
  private(set) var wasMisled = false
  private var wakes = Wakes()

  private struct Wakes {
    var workflow: Instant?
    var progress = Instant.zero
    var armed: Instant?
  }

  /// Partitions that wait here, at most, where nothing else comes on standard input.
  private static let room = 1000

  init(_ workflow: Workflow, _ events: WorkEvents, _ surroundings: Surroundings) {
    self.workflow = workflow
    self.events = events
    self.surroundings = surroundings
  }

  /// Notes why a partition failed, before its call is answered.
  func note(_ error: LuaError, of call: HostCallID) { failures[call] = error }

  /// Whether the partition is one that was ordered.
  func takes(_ partition: Partition) -> Bool { calls[PartitionID(partition).text] != nil }

  /// The server of a host asked to wait.
  func limited(_ host: String, for wait: Duration) {
    if surroundings.hasGate { events.limited(host, wait) }
  }

  func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    guard !isOver else { return [] }
    var effects: [ProgramEffect] = []
    switch event {
    case .started:
      events.ready()
      wakes.progress = now + .seconds(1)
      pass(.started, at: now, &effects)
    case .woke: woke(at: now, &effects)
    case .interrupted:
      input.end()
      waiting = WaitingPartitions()
      pass(event, at: now, &effects)
    case .replied, .called, .calledOff, .dismissed: pass(event, at: now, &effects)
    }
    if input.isAtEnd, surroundings.hasGate, !permits.isClosed {
      carryOut(permits.close(at: now), at: now, &effects)
    }
    begin(at: now, &effects)
    listen()
    arm(&effects)
    return effects
  }

  private func woke(at now: Instant, _ effects: inout [ProgramEffect]) {
    if let armed = wakes.armed, armed <= now { wakes.armed = nil }
    for id in events.takeSuperseded() {
      guard let call = calls[id] else { continue }
      end(call)
      pass(.calledOff(call), at: now, &effects)
    }
    if !input.isAtEnd, surroundings.hasGate || waiting.count < Self.room, StandardInput.isReadable {
      listen(at: now, &effects)
    }
    carryOut(permits.woke(at: now), at: now, &effects)
    if now >= wakes.progress {
      wakes.progress = now + .seconds(1)
      events.progress(workflow.statistics)
    }
    if let time = wakes.workflow, time <= now {
      wakes.workflow = nil
      pass(.woke, at: now, &effects)
    }
  }

  /// Reads what has come.
  private func listen(at now: Instant, _ effects: inout [ProgramEffect]) {
    do throws(WorkOrder.Mistake) {
      for order in try input.read() { take(order, at: now, &effects) }
    } catch {
      wasMisled = true
      input.end()
      surroundings.say("error: \(error.text)")
    }
  }

  private func listen() {
    surroundings.listen(!input.isAtEnd && (surroundings.hasGate || waiting.count < Self.room))
  }

  private func take(_ order: WorkOrder, at now: Instant, _ effects: inout [ProgramEffect]) {
    switch order {
    case .partition(let partition): waiting.append(partition)
    case .pause(let host, let seconds):
      carryOut(permits.pause(host, until: now + .seconds(seconds), at: now), at: now, &effects)
    case .grant(let host, let permits, let lease, let until):
      let left = until.map { $0 - Instant.ofMonotonicClock.seconds } ?? lease ?? 0
      carryOut(
        self.permits.grant(permits, to: host, until: now + .seconds(max(0, min(left, 3600))), at: now),
        at: now, &effects)
    }
  }

  /// Has the workflow read what there is room for.
  private func begin(at now: Instant, _ effects: inout [ProgramEffect]) {
    while reading.count < surroundings.atOnce, !isOver, let next = waiting.popFirst() {
      // Whoever reads it already says what comes of it.
      guard calls[next.id] == nil else { continue }
      let call = HostCallID(number: nextCall)
      nextCall += 1
      (reading[call], calls[next.id]) = (next, call)
      pass(.called(call, .read(next.partition)), at: now, &effects)
    }
    guard input.isAtEnd, waiting.count == 0, !isDismissed, !isOver else { return }
    isDismissed = true
    pass(.dismissed, at: now, &effects)
  }

  /// Gives the workflow an event, and carries out what is for this program.
  private func pass(_ event: ProgramEvent, at now: Instant, _ effects: inout [ProgramEffect]) {
    for effect in workflow.handle(event, at: now) {
      switch effect {
      case .call(let id, .request(let request, let terms)):
        requests[id] = request
        carryOut(permits.submit(id, request, rate: terms.rate, at: now), at: now, &effects)
      case .cancel(let id) where permits.cancel(id): requests[id] = nil
      case .answer(let call, let reply): answered(call, reply)
      case .wake(let time): wakes.workflow = time
      case .finished:
        isOver = true
        effects.append(effect)
      case .call, .cancel, .dismiss: effects.append(effect)
      }
    }
  }

  private func carryOut(_ steps: [PermitGate.Effect], at now: Instant, _ effects: inout [ProgramEffect]) {
    for step in steps {
      switch step {
      case .refuse(let id, let host):
        requests[id] = nil
        let failure = HostFailure(
          .limit,
          "no permit to send to \(HarmlessText.line(host)), and none will come: standard input has ended, with whoever grants them"
        )
        pass(.replied(id, .failed(failure)), at: now, &effects)
      case .tell(let news): events.permits(news)
      case .send(let id):
        if let request = requests.removeValue(forKey: id) { effects.append(.call(id, .http(request))) }
      }
    }
  }

  /// A partition is over, as far as the workflow is concerned.
  private func answered(_ call: HostCallID, _ reply: HostReply) {
    guard let ordered = end(call), case .failed(let failure) = reply else { return }
    let error = failures.removeValue(forKey: call) ?? LuaError(.runtime, failure.message)
    surroundings.leave(ordered.id)
    events.failed(ordered.id, error)
    surroundings.say(
      "error: \(ordered.id) \(ordered.partition.parameters.string): \(error.message)\n"
        + surroundings.advice(ordered))
  }

  @discardableResult
  private func end(_ call: HostCallID) -> WorkPartition? {
    guard let ordered = reading.removeValue(forKey: call) else { return nil }
    calls[ordered.id] = nil
    return ordered
  }

  private func arm(_ effects: inout [ProgramEffect]) {
    guard !isOver,
      let next = [wakes.workflow, permits.nextWake, wakes.progress].compactMap({ $0 }).min(),
      next != wakes.armed
    else { return }
    wakes.armed = next
    effects.append(.wake(at: next))
  }
}

/// Partitions in the order in which they came.
private struct WaitingPartitions {
  private var partitions: [WorkPartition] = []
  private var first = 0

  var count: Int { partitions.count - first }

  mutating func append(_ partition: WorkPartition) { partitions.append(partition) }

  mutating func popFirst() -> WorkPartition? {
    guard count > 0 else { return nil }
    first += 1
    defer {
      if first > 1000, first * 2 > partitions.count {
        partitions.removeFirst(first)
        first = 0
      }
    }
    return partitions[first - 1]
  }
}

/// What comes from outside of the program.
enum StandardInput {
  /// Whether there is something to read now, or its end.
  static var isReadable: Bool {
    var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }
}
