import Foundation
import Testing

/// A source explored without a terminal: commands in, text out.
@Suite(.waiting) struct ExploreTests {
  /// Times are the machine's: they are left out.
  private func timeless(_ text: String) -> [String] {
    text.replacing(#/\d+\.\d+ s/#, with: "* s").split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  @Test func `a source is opened, and lived step by step`() throws {
    let result = try explore([":open", ":step", ":run", ":step"])

    #expect(result.errors == "")
    #expect(
      timeless(result.output) == [
        "numbers: offset keys, pages of 100, leadingScreens(2.0), a screen of 10",
        "> 0  * s  begins: sees 1–10",
        "append: yes, 1 (the content is shorter than the viewport)",
        "fetch 1: refresh at 0, 100 items",
        "the reader waits for items",
        "to come: the source answers fetch 1 (:step, :run)",
        "> 1  * s  fetch 1 answers: 100 items in * s",
        "page of fetch 1 in place: 100 new",
        "the reader goes on",
        "nothing is left to come",
        "nothing is left to come",
        "nothing is left to come",
      ])
  }

  @Test func `another policy in the past has another outcome, which is compared`() throws {
    let script = Scripts.numbers.replacing("pageSize = 100", with: "pageSize = 10, policy = 'onDemand'")
    let result = try explore(
      [":open", ":run", ":fling 200", ":run", ":goto 1", ":policy everything", ":rerun"], script)

    let table = result.lines.suffix(8).map { $0.split(whereSeparator: { $0 == " " }).map(String.init) }
    #expect(result.errors == "")
    #expect(table.first == ["before:", "onDemand", "now:", "everything"])
    let requests = table.first { $0.first == "requests" }?.suffix(2).compactMap { Int($0) } ?? []
    let stalls = table.first { $0.first == "stalls" }?.compactMap { Int($0) } ?? []
    #expect(requests.count == 2 && requests[0] < 15 && requests[1] > 90)
    #expect(stalls.count == 2 && stalls[0] > stalls[1])
  }

  @Test func `the same again after going back asks the source nothing`() throws {
    let script = Scripts.numbers.replacing(
      "local items = {}", with: "print('asked', context.key) local items = {}")
    let result = try explore(
      [":open", ":run", ":scroll to 500", ":run", ":goto 0", ":run", ":scroll to 500", ":run"], script)

    let asked = result.lines.filter { $0.hasPrefix("asked") }
    #expect(asked.count == Set(asked).count)
    #expect(asked.count > 1)
  }

  @Test func `a policy of the session decides, with its reasons`() throws {
    let result = try explore([
      "never = lookahead.policy { name = 'never', shouldBatchFetch = function(view) return { fetch = 0, reason = 'not me' } end }",
      ":open", ":policy never", ":run", ":scroll to 95", ":run", ":why", ":policy source", ":run",
    ])

    #expect(result.errors == "")
    #expect(result.output.contains("append: no — not me"))
    #expect(result.output.contains("the policy asks for none (:why, :fetch, :policy)"))
    #expect(result.lines.last == "nothing is left to come")
  }

  @Test func `a page by hand comes whatever the policy says, or it is said why not`() throws {
    let result = try explore([":open", ":fetch", ":run", ":fetch", ":step", ":fetch prepend", ":state"])

    #expect(result.output.contains("append: yes, 1 (asked for by hand)"))
    #expect(
      result.errors.contains("error: 1 page is in flight, which is the maximum\n  :step lets one come.")
    )
    #expect(result.errors.contains("error: nothing comes before the first item: that side is exhausted"))
    #expect(result.lines.contains { $0.hasPrefix("items") && $0.hasSuffix("1–200 of 1,000") })
  }

  @Test func `what is seen, held and on its way is shown as a table`() throws {
    let result = try explore([":open screen 3", ":pending", ":run", ":visible", ":items 99 101", ":ranges"])

    let lines = timeless(result.output)
    #expect(lines.contains { $0.hasPrefix("fetch 1  refresh") && $0.hasSuffix("not asked yet") })
    #expect(lines.contains("items 1–3") && lines.contains("items 99–100"))
    #expect(lines.contains { $0.contains("100") && $0.contains("item 100") })
    #expect(lines.contains { $0.hasPrefix("visible") && $0.contains("1–3") })
  }

  @Test func `the moments become a trace of JSON lines`() throws {
    let scratch = try Scratch()
    _ = try explore([":open", ":run", ":moments trace.ndjson"], in: scratch)

    let lines = try scratch.text("trace.ndjson").split(separator: "\n").map {
      json(String($0)) as? [String: Any]
    }
    let events = lines.compactMap { $0?["event"] as? String }
    #expect(events.contains("decided") && events.contains("delivered"))
    #expect(lines.allSatisfy { $0?["source"] as? String == "numbers" })
  }

  @Test func `a recorded reader is repeated`() throws {
    let scratch = try Scratch()
    try scratch.write("reader.csv", "t_ms,first,last\n0,0,9\n100,20,29\n900,120,129\n")
    let result = try explore([":open", ":run", ":replay reader.csv", ":run", ":state"], in: scratch)

    #expect(result.errors == "")
    #expect(result.lines.contains { $0.hasPrefix("reader") && $0.contains("sees 121–130") })
  }

  @Test(arguments: [
    (":step", "nothing is explored yet"),
    (":open nobody", "there is no source nobody\n  The sources here: numbers"),
    (":open 5", "5 is a number, and no source"), (":open numbers screen 0", "from 1 to 10000, got 0"),
    (":open\n:goto 9", ":goto expects a moment from 0 to 0, got 9"),
    (":open\n:back", "this is the first moment"),
    (":open\n:forward", "nothing has happened after this moment"),
    (":open\n:rerun", "nothing to do again from here"),
    (":open\n:scroll", "got nothing"), (":open\n:scroll far", "got far"),
    (":open\n:scroll 3 in never", "got never"),
    (":open\n:fling 0", ":fling expects items per second, as 60 or -60, got 0"), (":open\n:step x", "got x"),
    (":open\n:run -3s", "got -3s"),
    (":open\n:policy leadingScreens(x)", "the policy leadingScreens: expected one number"),
    (":open\n:policy nobody", "unknown policy \"nobody\""),
    (":open\n:policy numbers.name", "no policy, function or source"),
    (":open\n:why 7", ":why expects a moment from 0 to 0, got 7"), (":open\n:fetch sideways", "got sideways"),
    (":open\n:items a", "got a"), (":open\n:replay none.jsonl", ":replay can't read none.jsonl"),
    (":open\n:moments /nowhere/trace", "can't be written to /nowhere/trace"),
    (":open\n:run\n:items 5 2", "the last, got 5 2: that range is backwards\n  :items 2 5 shows it."),
    (":open\n:policy 5", ":policy expects the name of a policy, a variable that holds one, or source; got 5"),
    (":open\n:run\n:retry", "nothing failed or stopped"),
    (
      ":open\n:moments feed.lua",
      "feed.lua is there already, and no trace\n  Write the trace under another name."
    ),
    (":open\n:close\n:state", "nothing is explored yet"),
  ])
  func `what cannot be done is said in a sentence`(commands: String, message: String) throws {
    let result = try explore(commands.split(separator: "\n").map(String.init))

    #expect(result.errors.contains("error: ") && result.errors.contains(message), "\(result.errors)")
    #expect(result.exitCode == 1)
  }

  @Test func `an explored session is saved as a script that reads the source as it was explored`() throws {
    let scratch = try Scratch()
    let result = try explore([":open", ":run", ":policy ramp", ":state", ":save saved.lua"], in: scratch)
    let run = try scratch.lookahead("run", "saved.lua", "--limit", "3")

    let saved = try scratch.text("saved.lua")
    #expect(result.errors == "")
    #expect(saved.contains("-- :open\n-- :run\n-- :policy ramp\nnumbers.policy = \"ramp\"\n"))
    #expect(saved.hasSuffix("return numbers\n"))
    #expect(run.exitCode == 0)
    #expect(run.lines.count == 3)
  }

  @Test func `what was not granted is said as a prompt says it`() throws {
    let result = try explore([":open", ":run", ":state"], Scripts.asking)

    #expect(result.output.contains("(allow it with :grant net=127.0.0.1"))
    #expect(!result.output.contains("--allow"))
  }

  @Test func `a handler's error is shown with its place, and tried again after it was mended`() throws {
    let script = Scripts.numbers.replacing(
      "local items = {}", with: "local items = broken and ({}).x.y or {}")
    let result = try explore(
      ["broken = true", ":open", ":run", ":state", "broken = false", ":retry", ":run", ":state"],
      "local broken\n" + script)

    #expect(result.output.contains("fetch 1 fails: feed.lua:"))
    #expect(result.output.contains("gave up: feed.lua:"))
    #expect(result.lines.contains { $0.hasPrefix("items") && $0.contains("1–100 of 1,000") })
  }
}
