import Items
import TestSupport
import Paging
import Simulation
import Testing

@Suite struct ExplorationTravelTests {
  /// A reader who flings through the source, to the end of it.
  private func flung(policy: String = "leadingScreens(2)") throws -> ExplorationRig {
    var rig = try ExplorationRig(NumberSource(count: 1000), policy: .named(policy))
    rig.delay = { .milliseconds(100 + Int64($0.key?.number ?? 0) % 70) }
    rig.run()
    rig.exploration.plan(.fling(from: 0, velocity: 100))
    rig.run()
    return rig
  }

  @Test func `going back and forward changes nothing`() throws {
    var rig = try flung()
    let past = rig.exploration.past
    let items = rig.exploration.feed.items.count

    let moved = rig.exploration.back(7)
    #expect(moved == 7)
    #expect(rig.exploration.past == Array(past.dropLast(7)))
    rig.exploration.forward(7)

    #expect(rig.exploration.past == past)
    #expect(rig.exploration.feed.items.count == items)
  }

  @Test func `a moment that is looked at from elsewhere says where its reader was`() throws {
    var rig = try flung()
    let places = rig.exploration.moments.map(\.viewport?.firstVisible)

    for index in rig.exploration.moments.indices {
      rig.exploration.go(to: index)
      #expect(rig.exploration.viewport.firstVisible == places[index], "moment \(index)")
    }

    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(rig.exploration.moments.map(\.viewport?.firstVisible) == places)
  }

  @Test func `there is nothing before the first moment and behind the last`() throws {
    var rig = try flung()
    let last = rig.exploration.position

    #expect(rig.exploration.forward(3) == 0)
    #expect(rig.exploration.back(100_000) == last)
    #expect(rig.exploration.position == 0)
    #expect(rig.exploration.back() == 0)
    #expect(rig.exploration.forward(.max / 2) == last)
  }

  @Test func `the same again gives the same moments, without the source`() throws {
    var rig = try flung()
    let past = rig.exploration.past
    let asked = rig.asked

    rig.exploration.go(to: 0)
    rig.run()
    rig.exploration.plan(.fling(from: 0, velocity: 100))
    rig.run()

    #expect(rig.exploration.past == past)
    #expect(rig.asked == asked)
  }

  @Test func `another policy from an earlier moment on gives another outcome`() throws {
    var rig = try flung(policy: "onDemand")
    let before = rig.exploration.stalls
    let start = try #require(
      rig.exploration.moments.firstIndex { if case .planned = $0.cause { true } else { false } })

    rig.exploration.go(to: start - 1)
    rig.exploration.exchange(.named("leadingScreens(5)"))
    rig.run()
    rig.exploration.plan(.fling(from: 0, velocity: 100))
    rig.run()

    #expect(before.count > 1)
    #expect(rig.exploration.stalls.count < before.count)
    #expect(rig.exploration.stalls.total < before.total)
  }

  @Test func `what is done in the past leaves the future that was there`() throws {
    var rig = try flung()
    let count = rig.exploration.moments.count

    rig.exploration.back(4)
    rig.exploration.scroll(to: 0)

    #expect(rig.exploration.moments.count == count - 3)
    #expect(rig.exploration.leftFuture?.moments.count == 4)
    #expect(rig.exploration.leftFuture?.behind == count - 5)
    #expect(rig.exploration.forward() == 0)
  }

  @Test func `a refresh that is lived again brings what it brought`() throws {
    var rig = try ExplorationRig()
    rig.run()
    let start = rig.exploration.position
    rig.answer = { _ in JournaledAnswer(.page(.numbers(500..<520, total: 20)), after: .zero) }
    rig.exploration.refresh()
    rig.run()
    #expect(rig.exploration.feed.items.count == 20)
    let asked = rig.asked

    rig.exploration.go(to: start)
    #expect(rig.exploration.feed.items.count == 40)
    rig.exploration.refresh()
    rig.run()

    #expect(rig.exploration.feed.items[0]?.id == .integer(500))
    #expect(rig.asked == asked)
  }

  @Test func `a source that may answer otherwise is asked again`() throws {
    var rig = try flung()
    let asked = rig.asked

    rig.exploration.forgetAnswers()
    rig.exploration.go(to: 0)
    rig.run()

    #expect(rig.asked == asked + 2)
  }

  @Test func `what is taken back never was`() throws {
    var rig = try flung()
    let past = rig.exploration.past
    let position = rig.exploration.position

    rig.exploration.scroll(to: 300)
    rig.step()
    rig.exploration.rewind(to: position)

    #expect(rig.exploration.past == past)
    #expect(rig.exploration.forward() == 0)
    #expect(rig.exploration.leftFuture == nil)
  }

  private final class Memory { var views = 0 }

  /// Says yes to every third view, and counts them where all copies see it.
  private struct Counting: FetchPolicy {
    let memory: Memory
    func shouldBatchFetch(_ view: PolicyView) -> Verdict {
      memory.views += 1
      return Verdict(memory.views % 3 == 1, reason: "view \(memory.views)")
    }
  }

  private func counting() throws -> ExplorationRig {
    try ExplorationRig(policy: FreshPolicy("counting") { Counting(memory: Memory()) })
  }

  @Test func `a policy that shares what it remembers goes back in time too`() throws {
    var rig = try counting()
    func walk() {
      rig.run()
      for place in [3, 30, 5, 60] {
        rig.exploration.scroll(to: place)
        rig.run()
      }
    }
    walk()
    let past = rig.exploration.past

    rig.exploration.go(to: 2)
    rig.exploration.scroll(to: 90)
    rig.exploration.go(to: 0)
    walk()

    #expect(past.count > 8)
    #expect(rig.exploration.past == past)
  }

  @Test func `a policy does not remember what was asked for by hand`() throws {
    var rig = try counting()
    rig.run()
    #expect(rig.exploration.fetch(.append) == nil)
    let start = rig.exploration.position
    rig.run()
    rig.exploration.scroll(to: 30)
    let past = rig.exploration.past

    rig.exploration.go(to: start)
    rig.run()
    rig.exploration.scroll(to: 30)

    #expect(rig.exploration.past == past)
  }
}
