import Items
import TestSupport
import Paging
import Simulation
import Testing

@Suite struct ExplorationRepeatTests {
  private func flung(policy: String) throws -> (ExplorationRig, start: Int) {
    var rig = try ExplorationRig(NumberSource(count: 1000), policy: .named(policy))
    rig.delay = { _ in .milliseconds(300) }
    rig.run()
    let start = rig.exploration.position
    rig.exploration.plan(.fling(from: 0, velocity: 100))
    rig.run()
    rig.exploration.scroll(to: 10)
    rig.run()
    return (rig, start)
  }

  @Test func `the same moves under another policy are compared with the first time`() throws {
    var (rig, start) = try flung(policy: "onDemand")
    let acts = rig.exploration.moments.dropFirst(start + 1).compactMap(\.act)

    rig.exploration.go(to: start)
    rig.exploration.exchange(.named("leadingScreens(5)"))
    let repeated = rig.exploration.planRepeat()
    let planned = try #require(repeated)
    rig.run()
    let after = rig.exploration.outcome(of: planned)

    #expect(planned.before.policies == ["onDemand"])
    #expect(after.policies == ["leadingScreens(5)"])
    #expect(planned.before.stalls > after.stalls)
    #expect(planned.before.stalled > after.stalled)
    #expect(rig.exploration.moments.dropFirst(planned.start + 1).compactMap(\.act) == acts)
  }

  @Test func `under the same policy it comes to the same`() throws {
    var (rig, start) = try flung(policy: "onDemand")
    let asked = rig.asked

    rig.exploration.go(to: start)
    let repeated = rig.exploration.planRepeat()
    let planned = try #require(repeated)
    rig.run()

    #expect(rig.exploration.outcome(of: planned) == planned.before)
    #expect(rig.asked == asked)
  }

  @Test func `from the middle of a fling on, only the rest is repeated`() throws {
    var (rig, start) = try flung(policy: "leadingScreens(2)")
    let middle = start + 12
    let acts = rig.exploration.moments.dropFirst(middle + 1).compactMap(\.act)

    rig.exploration.go(to: middle)
    rig.exploration.exchange(.named("ramp"))
    let repeated = rig.exploration.planRepeat()
    let planned = try #require(repeated)
    rig.run()

    #expect(planned.acts == acts.count)
    #expect(rig.exploration.moments.dropFirst(planned.start + 1).compactMap(\.act) == acts)
  }

  @Test func `a policy can be compared with the one that was tried before`() throws {
    var (rig, start) = try flung(policy: "onDemand")
    var outcomes: [ExplorationOutcome] = []
    for name in ["leadingScreens(5)", "everything"] {
      rig.exploration.go(to: start)
      rig.exploration.exchange(.named(name))
      let repeated = rig.exploration.planRepeat()
      let planned = try #require(repeated)
      rig.run()
      outcomes += [planned.before, rig.exploration.outcome(of: planned)]
    }

    #expect(
      outcomes.flatMap(\.policies) == ["onDemand", "leadingScreens(5)", "leadingScreens(5)", "everything"])
    #expect(outcomes[1] == outcomes[2])
  }

  @Test func `a policy that was set at the end of a stretch did not decide in it`() throws {
    var (rig, start) = try flung(policy: "leadingScreens(2)")
    rig.exploration.exchange(.named("onDemand"))

    rig.exploration.go(to: start)

    #expect(rig.exploration.planRepeat()?.before.policies == ["leadingScreens(2)"])
  }

  @Test func `all policies that decided in a stretch are named in their order`() throws {
    var (rig, start) = try flung(policy: "leadingScreens(2)")
    for name in ["onDemand", "ramp", "leadingScreens(2)"] {
      rig.exploration.exchange(.named(name))
      guard name != "ramp" else { continue }
      rig.exploration.scroll(to: 200)
      rig.run()
    }

    let outcome = rig.exploration.outcome(from: start, to: rig.exploration.position)

    #expect(outcome.policies.first == "leadingScreens(2)")
    #expect(outcome.policies.last == "leadingScreens(2)")
    #expect(outcome.policies.contains("onDemand"))
    #expect(rig.exploration.outcome(from: start, to: start).policies == ["leadingScreens(2)"])
  }

  @Test func `a wait that had begun before a stretch counts in it, as its time does`() throws {
    var rig = try ExplorationRig(NumberSource(count: 100))
    rig.run()
    let whole = rig.exploration.outcome(from: 0, to: rig.exploration.position)

    #expect(rig.exploration.moments[0].isStalled)
    #expect(whole.stalls == rig.exploration.stalls.count)
    #expect(whole.stalls == 1)
    #expect(whole.stalled == .milliseconds(100))
  }

  @Test func `what was done again by hand is not repeated`() throws {
    var (rig, start) = try flung(policy: "onDemand")
    let acts = rig.exploration.moments.dropFirst(start + 1).compactMap(\.act)

    rig.exploration.go(to: start)
    rig.exploration.scroll(to: 0)
    let repeated = rig.exploration.planRepeat()

    #expect(repeated?.acts == acts.count - 1)
  }

  @Test func `without a first time there is nothing to repeat`() throws {
    var rig = try ExplorationRig()
    let first = rig.exploration.planRepeat()
    rig.run()
    rig.exploration.go(to: 0)

    let second = rig.exploration.planRepeat()

    #expect(first == nil)
    #expect(second == nil)
  }
}
