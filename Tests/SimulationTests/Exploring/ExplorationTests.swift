import Items
import TestSupport
import Paging
import Simulation
import Testing

@Suite struct ExplorationTests {
  @Test func `an exploration begins with a request and waits for the source`() throws {
    var rig = try ExplorationRig()

    let stop = rig.exploration.step()

    guard case .needs(let requests)? = stop else { throw Unexpected() }
    #expect(requests.map(\.key) == [.integer(0)])
    #expect(rig.exploration.position == 0)
    #expect(rig.exploration.now == .zero)
    #expect(rig.exploration.stalledSince == .zero)
  }

  @Test func `an answer comes after the time that it took`() throws {
    var rig = try ExplorationRig()
    rig.delay = { _ in .milliseconds(250) }

    rig.step()

    #expect(rig.exploration.now == .zero + .milliseconds(250))
    #expect(rig.exploration.feed.items.count == 20)
    #expect(rig.exploration.stalls.total == .milliseconds(250))
    #expect(rig.exploration.stalledSince == nil)
  }

  @Test func `a run ends when nothing is left to come`() throws {
    var rig = try ExplorationRig()

    #expect(rig.run() == .quiet)
    #expect(rig.exploration.feed.items.count == 40)
    #expect(rig.exploration.nextTime == nil)
  }

  @Test func `a run for a while stops at that time, between two events`() throws {
    var rig = try ExplorationRig()

    let stop = rig.run(ExplorationGoal(until: .zero + .milliseconds(150)))

    #expect(stop == .reached)
    #expect(rig.exploration.now == .zero + .milliseconds(150))
    #expect(rig.exploration.moment.cause == .waited)
    #expect(rig.exploration.feed.items.count == 20)
  }

  @Test func `a handler's pieces come one by one`() throws {
    var rig = try ExplorationRig(NumberSource(count: 10, keys: .cursor))
    rig.answer = { request in
      let fetch = request.id
      return JournaledAnswer([
        .init(after: .milliseconds(10), .appended(fetch, .numbers(0..<3), received: 3)),
        .init(after: .milliseconds(30), .answered(fetch, .completed(more: false))),
      ])
    }

    rig.step()

    #expect(rig.exploration.feed.items.count == 3)
    #expect(rig.exploration.now == .zero + .milliseconds(10))
    rig.step()
    #expect(rig.exploration.feed.state(of: .append) == .exhausted)
  }

  @Test func `the answer of a cancelled request never comes`() throws {
    var rig = try ExplorationRig()
    rig.step()
    let before = rig.exploration.fetches.map(\.request.id)

    rig.exploration.refresh()
    rig.run()

    let answered = rig.exploration.moments.compactMap { moment in
      if case .answered(let request, _) = moment.cause { request.id } else { nil }
    }
    #expect(!before.isEmpty)
    #expect(before.allSatisfy { !answered.contains($0) })
  }

  @Test func `a failure in passing is tried again at the time that the feed wants`() throws {
    var rig = try ExplorationRig {
      $0.retry.base = .seconds(1)
      $0.retry.jitter = .none
    }
    rig.answer = { request in
      guard request.attempt == 1, request.key == .integer(0) else { return nil }
      return JournaledAnswer(
        .failed(FetchFailure(code: "network", message: "broken", isTransient: true)), after: .milliseconds(50)
      )
    }

    rig.run()

    #expect(rig.exploration.moments.contains { $0.cause == .woke })
    #expect(rig.exploration.feed.statistics.retries == 1)
    #expect(rig.exploration.feed.items.count == 40)
  }

  @Test func `a reader who waits does nothing else, and goes on as much later`() throws {
    var rig = try ExplorationRig(policy: .named("onDemand"))
    rig.delay = { _ in .seconds(1) }
    rig.run()

    rig.exploration.plan(.glide(from: 0, to: 50, in: .seconds(5)))
    let start = rig.exploration.now
    #expect(rig.run() == .quiet)

    let stalled = rig.exploration.stalls.total - .seconds(1)
    #expect(stalled > .zero)
    let last = rig.exploration.moments.last { $0.act != nil }
    #expect(last.map { $0.at - start } == .seconds(5) + stalled)
    #expect(rig.exploration.viewport.firstVisible == 50)
  }

  @Test func `a reader never gets past the end`() throws {
    var rig = try ExplorationRig(NumberSource(count: 33, tellsTotal: false))
    rig.run()

    rig.exploration.scroll(to: 25)
    rig.run()
    rig.exploration.scroll(to: 1000)
    rig.run()

    #expect(rig.exploration.viewport.lastVisible == 32)
    #expect(rig.exploration.stalledSince == nil)
  }

  @Test func `a place far away is jumped to where keys can be counted`() throws {
    var rig = try ExplorationRig(NumberSource(count: 100_000))
    rig.run()

    rig.exploration.scroll(to: 50_000)
    rig.run()

    #expect(rig.exploration.list.held.contains(50_000))
    #expect(rig.exploration.feed.items.count < 200)
    #expect(rig.exploration.stalledSince == nil)
  }

  @Test func `a policy that asks for nothing leaves the reader standing`() throws {
    var rig = try ExplorationRig(policy: FreshPolicy("never", Never()))

    #expect(rig.run() == .standstill)
  }

  private struct Never: FetchPolicy {
    func shouldBatchFetch(_ view: PolicyView) -> Verdict { Verdict(false) }
  }
}

/// Something else came than a test expects.
struct Unexpected: Error {}
