import Items
import Lua
import Paging
import Scripting
import Simulation
import Testing

@Suite struct ExploringStopTests {
  @Test func `a handler that never waits again is stopped, and the session goes on`() throws {
    let run = try ExploringRun(
      """
      local source = lookahead.source { name = "numbers", fetch = function(context)
        print("stop me")
        while true do pcall(function() while true do end end) end
      end }
      return source
      """)

    let error = run.run()

    #expect(error?.kind == .stopped(.interrupted))
    #expect(run.exploration.position == 0)
    #expect(run.line("return 1 + 1") == nil)
  }

  @Test func `what is waited for is stopped, and asked for again`() throws {
    let world = ScriptWorld(["GET http://a/": [.json("[]")]])
    world.neverAnswers = { if case .http = $0 { true } else { false } }
    let run = try ExploringRun(
      """
      return lookahead.source { name = "numbers", fetch = function(context)
        lookahead.http.get("http://a/")
        return { items = { { id = 1 } }, isLast = true }
      end }
      """, in: world)
    #expect(run.run()?.message == "never answered")

    run.workflow.exploring.stopAsking(run.source)
    run.interrupt()
    world.neverAnswers = { _ in false }
    let error = run.run()

    #expect(error == nil)
    #expect(run.held == [#"{"id":1}"#])
  }

  @Test func `stopping what was not asked does nothing`() throws {
    let run = try ExploringRun("\(numbers)return numbers(100)")

    run.workflow.exploring.stopAsking(run.source)
    run.run()

    #expect(run.held.count == 40)
  }
}
