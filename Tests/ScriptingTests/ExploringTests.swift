import Items
import Lua
import Paging
import Scripting
import Simulation
import Testing

@Suite struct ExploringTests {
  @Test func `a source's own handler fetches what an exploration needs, in the time that it takes`() throws {
    let run = try ExploringRun("\(numbers)return numbers(100)")

    run.run(ExplorationGoal(events: 1))

    #expect(run.held.first == #"{"id":1}"#)
    #expect(run.held.count == 10)
    #expect(run.exploration.now == .zero + .seconds(1))
  }

  @Test func `pages that are needed at once are fetched at once`() throws {
    let run = try ExploringRun("\(numbers)return numbers(100, { policy = 'everything' })")

    run.run()

    #expect(run.held.count == 100)
    // One page, then two, then four at a time, a second each, and one behind the first empty one.
    #expect(run.exploration.now == .zero + .seconds(5))
  }

  @Test func `what was answered is not asked for again`() throws {
    let run = try ExploringRun("\(numbers)return numbers(100)")
    run.run()
    let asked = run.asked
    let past = run.past

    run.exploration.go(to: 0)
    run.run()

    #expect(run.past == past)
    #expect(run.asked == asked)
  }

  @Test func `items that a handler appends come one after the other`() throws {
    let run = try ExploringRun(
      """
      return lookahead.source { name = "numbers", fetch = function(context)
        for id = 1, 3 do
          context:append { { id = id } }
          lookahead.sleep(1)
        end
        context:complete(false)
      end }
      """)

    run.run(ExplorationGoal(events: 2))
    #expect(run.held == [#"{"id":1}"#, #"{"id":2}"#])
    #expect(run.exploration.now == .zero + .seconds(1))
    run.run()

    #expect(run.held.count == 3)
    #expect(run.exploration.feed.state(of: .append) == .exhausted)
  }

  @Test func `an error of the handler is an answer, with its place`() throws {
    let run = try ExploringRun(
      "return lookahead.source { name = 'numbers', fetch = function(context)\nreturn context.missing.field end }"
    )

    run.run()

    guard case .gaveUp(let failure) = run.exploration.feed.state(of: .append) else {
      Issue.record("\(run.exploration.feed.state(of: .append))")
      return
    }
    #expect(failure.message.hasPrefix("feed.lua:2:"))
  }

  @Test func `a handler that fails in passing is called again`() throws {
    let run = try ExploringRun(
      """
      local calls = 0
      return lookahead.source { name = "numbers", backoff = { jitter = "none" }, fetch = function(context)
        calls = calls + 1
        if calls < 3 then return context:fail("not yet") end
        return { items = { { id = calls } } }
      end }
      """)

    run.run()

    #expect(run.held == [#"{"id":3}"#])
    #expect(run.exploration.feed.statistics.retries == 2)
  }

  @Test func `items without ids are told apart through time and a second opening`() throws {
    let run = try ExploringRun(
      """
      local source = lookahead.source { name = "numbers", keys = "offset", pageSize = 10, id = false,
        fetch = function(context)
          local items = {}
          for place = context.key + 1, context.key + 10 do items[#items + 1] = { place = place } end
          return { items = items, total = 60 }
        end }
      return source
      """)
    run.run()
    let count = run.held.count
    run.exploration.back(1)
    run.exploration.forgetAnswers()
    run.run()
    run.exploration.refresh()
    run.run()

    #expect(run.held.count == count)
    #expect(Set(run.held).count == count)
  }

  @Test func `what the script does not return can be explored when a variable holds it`() throws {
    let run = try ExploringRun("\(numbers)local mine = numbers(30, { name = 'mine' })", open: nil)

    try run.open("mine")
    run.run()

    #expect(run.held.count == 30)
  }

  @Test func `a value that is no source is not explored, and one that cannot be read says why`() throws {
    let run = try ExploringRun(
      "local five = 5\nlocal bare = lookahead.source { name = 'bare' }\nlocal list = {}", open: nil)
    let five = try #require(run.workflow.value(at: "five"))
    let list = try #require(run.workflow.value(at: "list"))
    let bare = try #require(run.workflow.value(at: "bare"))

    #expect(try run.workflow.exploring.source(five) == nil)
    #expect(try run.workflow.exploring.source(list) == nil)
    #expect {
      try run.workflow.exploring.source(bare)
    } throws: { error in
      (error as? LuaError)?.message.contains("has no fetch handler") == true
    }
  }

  @Test func `a source keeps its limit of items, and has one where it gives none`() throws {
    let limited = try ExploringRun("\(numbers)return numbers(1000, { maxItems = 40, policy = 'everything' })")
    let plain = try ExploringRun("\(numbers)return numbers(1000)")

    limited.run()

    #expect(limited.held.count < 100)
    #expect(limited.source.configuration.options.maxItems == 40)
    #expect(plain.source.configuration.options.maxItems == 10_000)
  }
}
