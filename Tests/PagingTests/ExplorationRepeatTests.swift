import Items
import Paging
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

    #expect(planned.before.policy == "onDemand")
    #expect(after.policy == "leadingScreens(5)")
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

    #expect(outcomes.map(\.policy) == ["onDemand", "leadingScreens(5)", "leadingScreens(5)", "everything"])
    #expect(outcomes[1] == outcomes[2])
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
