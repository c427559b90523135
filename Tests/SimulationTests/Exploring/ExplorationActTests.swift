import Items
import TestSupport
import Paging
import Simulation
import Testing

@Suite struct ExplorationActTests {
  @Test func `a page is fetched by hand whatever the policy says`() throws {
    var rig = try ExplorationRig()
    rig.run()

    let refusal = rig.exploration.fetch(.append)
    rig.run()

    #expect(refusal == nil)
    #expect(rig.exploration.feed.items.count == 60)
    #expect(
      rig.exploration.moments.flatMap(\.decisions).contains { $0.verdict.reason == "asked for by hand" })
  }

  @Test func `a page by hand leaves the policy in its place`() throws {
    var rig = try ExplorationRig(policy: .named("ramp"))
    rig.run()

    _ = rig.exploration.fetch(.append)

    #expect(rig.exploration.feed.policy is Ramp)
  }

  @Test func `a page by hand is asked for while the policy wants to be left alone`() throws {
    var rig = try ExplorationRig(policy: FreshPolicy("patient", Patient()))
    rig.step()

    let refusal = rig.exploration.fetch(.append)
    rig.step()

    #expect(refusal == nil)
    #expect(rig.exploration.feed.items.count == 40)
  }

  @Test func `a page that cannot be asked for is refused with the reason, and nothing happens`() throws {
    var ended = try ExplorationRig(NumberSource(count: 5))
    ended.run()
    var busy = try ExplorationRig(NumberSource(count: 100, keys: .cursor))
    var full = try ExplorationRig { $0.maxItems = 40 }
    full.run()
    var broken = try ExplorationRig()
    let failure = FetchFailure(code: "script", message: "broken")
    broken.answer = { _ in JournaledAnswer(.failed(failure), after: .zero) }
    broken.run()

    let position = ended.exploration.position
    #expect(ended.exploration.fetch(.append) == .exhausted)
    #expect(ended.exploration.position == position)
    #expect(ended.exploration.fetch(.prepend) == .exhausted)
    #expect(busy.exploration.fetch(.append) == .busy(inFlight: 1))
    #expect(full.exploration.fetch(.append) == .full(items: 40))
    #expect(broken.exploration.fetch(.append) == .gaveUp(failure))
  }

  @Test func `what gave up is tried again by hand`() throws {
    var rig = try ExplorationRig()
    rig.answer = { _ in
      JournaledAnswer(.failed(FetchFailure(code: "script", message: "broken")), after: .zero)
    }
    rig.run()
    rig.answer = { _ in nil }

    let hadFailed = rig.exploration.feed.hasFailed
    rig.exploration.retry()
    rig.run()

    #expect(hadFailed)
    #expect(!rig.exploration.feed.hasFailed)
    #expect(rig.exploration.feed.items.count == 40)
  }

  @Test func `a page that is tried again later has failed until then`() throws {
    var rig = try ExplorationRig()
    let failure = FetchFailure(code: "network", message: "away", isTransient: true)
    rig.answer = { $0.attempt == 1 ? JournaledAnswer(.failed(failure), after: .zero) : nil }
    let atFirst = rig.exploration.feed.hasFailed
    rig.step()
    let afterFailure = rig.exploration.feed.hasFailed
    rig.run()

    #expect(!atFirst && afterFailure && !rig.exploration.feed.hasFailed)
  }

  @Test func `a refresh asks the source again`() throws {
    var rig = try ExplorationRig()
    rig.run()
    let asked = rig.asked
    rig.answer = { request in
      JournaledAnswer(.page(Page(PageItems(.numbers(0..<20, version: 2)), total: 200)), after: .zero)
    }

    rig.exploration.refresh()
    rig.step()

    #expect(rig.asked == asked + 1)
    #expect(rig.exploration.feed.items[0]?.bytes.string == "0.2")
  }

  @Test func `another policy is asked at once, and everything else stays`() throws {
    var rig = try ExplorationRig()
    rig.run()
    let items = rig.exploration.feed.items.count

    rig.exploration.exchange(.named("everything"))

    #expect(rig.exploration.policyName == "everything")
    #expect(!rig.exploration.fetches.isEmpty)
    #expect(rig.exploration.feed.items.count == items)
    rig.run()
    #expect(rig.exploration.feed.items.count == 200)
  }

  @Test func `a finger on the list ends a fling`() throws {
    var rig = try ExplorationRig()
    rig.run()
    rig.exploration.plan(.fling(from: 0, velocity: 60))
    rig.step(5)
    #expect(rig.exploration.plannedActs > 0)

    rig.exploration.scroll(to: 3)

    #expect(rig.exploration.plannedActs == 0)
  }

  @Test func `a fling ends where the list turns out to end`() throws {
    var rig = try ExplorationRig(NumberSource(count: 55, tellsTotal: false))
    rig.exploration.plan(.fling(from: 0, velocity: 400))
    rig.run()

    let moves = rig.exploration.moments.compactMap { moment -> Viewport? in
      if case .acted(.move(let viewport)) = moment.cause { viewport } else { nil }
    }
    #expect(moves.last?.lastVisible == 54)
    #expect(moves.last?.velocity == 0)
    #expect(moves.count { $0.lastVisible == 54 } <= 2)
    #expect(rig.exploration.plannedActs == 0)
  }

  @Test func `who turns back at the end goes on with that`() throws {
    var rig = try ExplorationRig(NumberSource(count: 55, tellsTotal: false))
    let there = ReaderMoves.glide(from: 0, to: 90, in: .seconds(1)).moves
    let back = ReaderMoves.Move(after: .seconds(2), place: 7, velocity: -30)
    rig.exploration.plan(ReaderMoves(there + [back]))
    rig.run()

    #expect(rig.exploration.viewport.firstVisible == 7)
  }

  private struct Patient: FetchPolicy {
    func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      view.itemCount == 0 ? Verdict(fetch: 1) : Verdict(fetch: 0, wait: .seconds(100))
    }
  }
}
