import Items
import Lua
import Paging
import Scripting
import Simulation
import Testing

@Suite struct ExploringPolicyTests {
  @Test func `the policy of a source decides, and has a name`() throws {
    let run = try ExploringRun(
      """
      \(numbers)return numbers(100, { policy = lookahead.policy { name = "greedy",
        shouldBatchFetch = function(view) return { fetch = 3, reason = "I want it all" } end } })
      """)

    run.run()

    #expect(run.exploration.policyName == "greedy")
    #expect(run.held.count == 100)
    #expect(run.exploration.moments[1].decisions.contains { $0.verdict.reason == "I want it all" })
  }

  @Test func `a source without a policy has the built-in rule`() throws {
    let plain = try ExploringRun("\(numbers)return numbers(100)")
    let distance = try ExploringRun("\(numbers)return numbers(100, { prefetchDistance = 25 })")

    #expect(plain.exploration.policyName == "leadingScreens(2.0)")
    #expect(distance.exploration.policyName == "prefetchDistance(25)")
  }

  @Test func `a policy of a variable, or a function, decides from now on`() throws {
    let run = try ExploringRun(
      """
      \(numbers)local all = lookahead.policy.everything()
      local function never(view) return false end
      local other = numbers(10, { name = "other", policy = "ramp" })
      local five = 5
      return numbers(100)
      """)
    run.run()

    #expect(try run.exchange("never"))
    #expect(run.exploration.policyName == "never")
    run.exploration.scroll(to: 50)
    run.run()
    #expect(run.exploration.stalledSince != nil)

    #expect(try run.exchange("all"))
    run.run()
    #expect(run.held.count == 100)
    #expect(try run.exchange("other"))
    #expect(run.exploration.policyName == "ramp")
    #expect(try !run.exchange("five"))
  }

  @Test func `what a policy remembers in its parameters goes back in time`() throws {
    let run = try ExploringRun(
      """
      \(numbers)return numbers(1000, { policy = lookahead.policy { name = "counting", parameters = { seen = 0 },
        shouldBatchFetch = function(view, parameters)
          parameters.seen = parameters.seen + 1
          return { fetch = parameters.seen % 3 == 1 and 1 or 0, reason = "view " .. parameters.seen }
        end } })
      """)
    func walk() {
      for place in [5, 40, 10, 80] {
        run.exploration.scroll(to: place)
        run.run()
      }
    }
    run.run()
    let start = run.exploration.position
    walk()
    let past = run.past
    let asked = run.asked

    run.exploration.go(to: start)
    walk()

    #expect(run.past == past)
    #expect(run.asked == asked)
  }

  @Test func `a broken policy leaves the built-in rule, and says so`() throws {
    let run = try ExploringRun(
      "\(numbers)return numbers(100, { shouldBatchFetch = function(view) return view.nothing.there end })")

    run.run()

    #expect(run.held.count == 40)
    let reasons = run.exploration.moments.flatMap(\.decisions).map(\.verdict.reason)
    #expect(reasons.allSatisfy { $0.contains("so the built-in rule decided") })
  }

  @Test func `a policy that never ends is stopped, and everything goes on`() throws {
    let run = try ExploringRun(
      "\(numbers)return numbers(100, { shouldBatchFetch = function(view) while true do end end })")

    let error = run.run()

    #expect(error == nil)
    #expect(run.held.count == 40)
    #expect(run.line("return 1 + 1") == nil)
  }
}
