import Experiments
import Items
import Paging
import Scripting
import Simulation
import Testing

/// The same reader over the same source: what a policy is shown and says is the same whoever runs the machine.
@Suite struct AgreementTests {
  /// Writes down each decision about the end of the list that differs from the one before.
  private final class Log: @unchecked Sendable {
    private(set) var lines: [String] = []

    func add(_ view: PolicyView, _ verdict: Verdict) {
      let line =
        "\(view.now.seconds) \(view.firstVisible)-\(view.lastVisible) items \(view.itemCount) "
        + "remaining \(view.remainingItems) expected \(view.expectedItems) in flight \(view.inFlight) "
        + "free \(view.freeSlots) hint \(view.hint): \(verdict.fetch)"
      if view.direction == .append, lines.last != line { lines.append(line) }
    }

    func clear() { lines = [] }
  }

  private struct Recorded: FetchPolicy {
    let log: Log
    var policy: any FetchPolicy = LeadingScreens(2)

    mutating func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      let verdict = policy.shouldBatchFetch(view)
      log.add(view, verdict)
      return verdict
    }
  }

  private static let total = 200
  private static let screen = 10
  private static let latency = Duration.milliseconds(100)
  /// When the reader goes on, and the first place that it sees then. Half seconds are exact, however they are written.
  private static let moves = (0...28).map { (at: Duration.milliseconds(500 * $0), place: 5 * $0) }

  private static func viewport(_ place: Int) -> Viewport {
    Viewport(firstVisible: place, lastVisible: place + screen - 1)
  }

  private static func configuration() throws -> FeedConfiguration {
    try FeedConfiguration {
      $0.keys = .offset
      $0.pageSize = 20
      $0.maxInFlight = 2
    }
  }

  @Test func `browsing, exploring and the lab decide the same, line by line`() throws {
    let browsed = try Self.browsed()
    let explored = try Self.explored()
    let simulated = try Self.simulated()

    #expect(browsed.count > 40)
    #expect(browsed == explored)
    #expect(explored == simulated)
  }

  /// A script, whose pages are outlined before their items are made, read by a person in virtual time.
  private static func browsed() throws -> [String] {
    enum Happening { case replied(HostCallID), woke, moved(Int) }
    let log = Log()
    var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/")
    options.browse = BrowseOptions()
    let script = """
      local source = lookahead.source { name = "numbers", keys = "offset", pageSize = 20, maxInFlight = 2 }
      function source.fetch(context)
        lookahead.sleep(0.1)
        local items = {}
        for id = context.key, math.min(context.key + context.size, 200) - 1 do items[#items + 1] = { id = id } end
        return { items = items, total = 200 }
      end
      return source
      """
    let workflow = try Workflow(text: script, options: options)
    var timeline = Timeline<Happening>()
    // The reader waits for the first page, as it does in the other two, and is later by as much from then on.
    for move in moves {
      timeline.add(.moved(move.place), at: .zero + move.at + (move.at > .zero ? latency : .zero))
    }
    func handle(_ event: ProgramEvent, at now: Instant) {
      for effect in workflow.handle(event, at: now) {
        switch effect {
        case .call(let id, .sleep(let duration)): timeline.add(.replied(id), at: now + duration)
        case .wake(let at): timeline.add(.woke, at: at)
        case .call, .cancel, .answer, .dismiss, .finished: break
        }
      }
    }
    handle(.started, at: .zero)
    workflow.browse(.policy(Recorded(log: log)))
    while let (now, happening) = timeline.removeFirst() {
      switch happening {
      case .replied(let id): handle(.replied(id, .done), at: now)
      case .woke: handle(.woke, at: now)
      case .moved(let place):
        workflow.browse(.move(viewport(place)))
        handle(.woke, at: now)
      }
    }
    return log.lines
  }

  private static func explored() throws -> [String] {
    let log = Log()
    var exploration = try Exploration(
      configuration: try configuration(), policy: FreshPolicy("recorded", Recorded(log: log)), screen: screen)
    exploration.plan(
      ReaderMoves(moves.dropFirst().map { ReaderMoves.Move(after: $0.at, place: $0.place, velocity: 0) }))
    var goal = ExplorationGoal()
    while case .needs(let requests) = exploration.run(&goal) {
      for request in requests {
        guard case .integer(let key)? = request.key else { continue }
        let numbers = Int(key)..<min(Int(key) + request.size, total)
        let items = numbers.map { Item(id: .integer(Int64($0)), bytes: Bytes("\($0)")) }
        let page = Page(PageItems(items), total: total)
        exploration.supply(JournaledAnswer(.page(page), after: latency), for: request)
      }
    }
    return log.lines
  }

  private static func simulated() throws -> [String] {
    let log = Log()
    var points: [ViewportTrace.Point] = []
    for (move, next) in zip(moves, moves.dropFirst()) {
      for at in [move.at, next.at] {
        points.append(
          .init(milliseconds: at.inSeconds * 1000, first: move.place, last: move.place + screen - 1))
      }
    }
    if let last = moves.last {
      points.append(
        .init(milliseconds: last.at.inSeconds * 1000, first: last.place, last: last.place + screen - 1))
    }
    var experiment = Experiment()
    experiment.sources = [ExperimentSource(name: "numbers", options: try configuration().options)]
    experiment.policies = [
      ExperimentPolicy(name: "recorded") { _ in
        log.clear()
        return Recorded(log: log)
      }
    ]
    let trace = try ViewportTrace(points: points, items: total)
    experiment.workloads = [WorldDescription("trace:moves", contents: trace.text)]
    experiment.networks = [WorldDescription("fixed:0.1")]
    experiment.sessions = 1
    var options = LabOptions()
    options.jobs = 1
    _ = try Lab(options).run(experiment)
    return log.lines
  }
}
