import Items
import Paging
import Scripting
import Testing

@Suite struct EmitTests {
  @Test func `items go to their streams in order`() throws {
    let run = try ScriptRun(
      """
      lookahead.emit { id = 1 }
      lookahead.emit({ id = 2 }, "groups")
      lookahead.emit("text")
      lookahead.emit({ id = 3 }, "groups")
      lookahead.emit(lookahead.null)
      """)

    #expect(run.items(nil) == [#"{"id":1}"#, "\"text\"", "null"])
    #expect(run.items("groups") == [#"{"id":2}"#, #"{"id":3}"#])
    #expect(run.statistics.items == 5)
    #expect(run.statistics.itemsPerStream == ["groups": 2])
  }

  @Test func `emit waits while the sink is behind`() throws {
    let world = ScriptWorld()
    world.sinkDelay = .seconds(10)

    let run = try ScriptRun(
      """
      local seen = lookahead.now()
      for id = 1, 20000 do
        lookahead.emit { id = id }
        if lookahead.now() ~= seen then print(id, lookahead.now()) seen = lookahead.now() end
      end
      """, in: world)

    #expect(run.items().count == 20000)
    #expect(run.printed.first == "9000\t10.0")
    #expect(run.seconds == 30)
    #expect(world.deliveries.allSatisfy { $0.delivery.items.count <= 1000 })
  }

  @Test func `a source is not fetched far ahead of a sink that is behind`() throws {
    let world = ScriptWorld()
    world.neverAnswers = { if case .emit = $0 { true } else { false } }

    let run = try ScriptRun(numbers + "return numbers(100000)", in: world)

    #expect(!run.isFinished)
    #expect(run.statistics.pages < 40)
  }

  @Test func `a sink that cannot take its items ends the run`() throws {
    let world = ScriptWorld()
    world.sinkReply = { _ in .failed(HostFailure(.io, "the disk is full")) }

    let run = try ScriptRun("for id = 1, 10 do lookahead.emit { id = id } lookahead.sleep(1) end", in: world)

    #expect(run.failure == "the disk is full")
    #expect(run.code == "sink")
    #expect(run.isFinished)
  }

  @Test(arguments: [
    ScriptCase(
      script: "lookahead.emit()",
      message: "feed.lua:1: lookahead.emit: argument 1: expected an item, got nothing"),
    ScriptCase(
      script: "lookahead.emit({}, 3)",
      message: "feed.lua:1: lookahead.emit: argument 2: expected a string, got 3"),
    ScriptCase(
      script: "lookahead.emit(print)",
      message: "feed.lua:1: lookahead.emit: a function can't be written as JSON"),
    ScriptCase(
      script: "lookahead.emit { a = { print } }",
      message: "feed.lua:1: lookahead.emit: a[1]: a function can't be written as JSON"),
    ScriptCase(
      script: "local t = {} t.t = t lookahead.emit(t)",
      message: "feed.lua:1: lookahead.emit: t: a table that holds itself"),
  ])
  func `what cannot be emitted is refused at its line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == example.message)
  }

  @Test func `a policy cannot emit, and is told so`() throws {
    let run = try ScriptRun(
      numbers + """
        return numbers(30, { name = "feed", shouldBatchFetch = function(view)
          lookahead.emit { id = 99 }
          return true
        end })
        """)

    #expect(run.items().count == 30)
    #expect(run.logged.count == 1)
    #expect(run.logged.first?.contains("lookahead.emit: a policy only decides: emit from the fetch") == true)
  }
}
