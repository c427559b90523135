import Foundation
import Testing

/// `lookahead watch`: the page of a run that other processes do.
@Suite(.waiting) struct WatchCommandTests {
  /// What the page that was written is drawn from.
  private func data(_ scratch: Scratch) throws -> [String: Any] {
    let page = try scratch.text("run.html")
    let json = try #require(page.firstMatch(of: /<script type="application\/json" id="data">(.*?)<\/script>/))
      .output.1
    return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private func told(_ lines: [String], _ arguments: String...) throws -> (Scratch, CommandResult) {
    let scratch = try Scratch()
    var command = Command.lookahead(["watch", "feed.lua", "--report", "run.html"] + arguments)
      .within(scratch)
    command.input = lines.map { $0 + "\n" }.joined()
    return (scratch, try command.run())
  }

  @Test func `what partitions and work print is all it takes`() throws {
    let scratch = try Scratch(script: PartedScript.text)

    let result = try scratch.shell(
      """
      lookahead partitions feed.lua > list
      (cat list; echo '{"event":"listed"}'; lookahead work feed.lua -o all/ --parts -q < list) \
        | lookahead watch feed.lua --report run.html; exit ${PIPESTATUS[1]}
      """)
    let data = try data(scratch)
    let totals = try #require(data["totals"] as? [String: Any])
    let partitions = try #require(totals["partitions"] as? [String: Any])

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect((data["run"] as? [String: Any])?["exitCode"] as? Int == 0)
    #expect((data["partitions"] as? [String: Any])?["states"] as? String == String(repeating: "d", count: 12))
    #expect(partitions["listed"] as? Int == 12 && partitions["done"] as? Int == 12)
    #expect(try totals["items"] as? Int == PartedScript.rows().count)
    #expect(totals["pages"] as? Int ?? 0 >= 12)
  }

  @Test func `a partition that fails is a failure of the run`() throws {
    let scratch = try Scratch(script: PartedScript.text)

    _ = try scratch.shell(
      """
      lookahead partitions feed.lua -e fault=5 | tee list | lookahead work feed.lua -e fault=5 -o all/ --parts -q 2> /dev/null \
        | lookahead watch feed.lua --report run.html
      """)
    let data = try data(scratch)
    let run = try #require(data["run"] as? [String: Any])

    #expect(run["exitCode"] as? Int == 1)
    #expect(run["message"] as? String == "1 partition failed")
    #expect(
      (data["faults"] as? [[String: Any]])?.contains { $0["place"] as? String == "feed.lua:11" } == true)
  }

  @Test func `whoever runs it says how it has ended, and nothing is read behind that`() throws {
    let (scratch, result) = try told([
      #"{"event":"over","exitCode":75,"message":"error: rate limit"}"#, "nonsense",
    ])
    let run = try #require(try data(scratch)["run"] as? [String: Any])

    #expect(result.exitCode == 0 && result.errors == "")
    #expect(run["exitCode"] as? Int == 75)
    #expect(run["message"] as? String == "rate limit")
  }

  @Test func `an end that nobody tells is none`() throws {
    let (scratch, _) = try told([
      #"{"event":"ready","worker":"a"}"#, #"{"event":"started","id":"x","worker":"a"}"#,
    ])
    let run = try #require(try data(scratch)["run"] as? [String: Any])

    #expect(run["exitCode"] as? Int == -1)
    #expect((run["message"] as? String)?.contains("before anybody said how the run ended") == true)
  }

  @Test(arguments: [
    ("[1]", "expected a JSON object, got [1]"), ("{\"id\":1}", "expected an event, or a partition"),
    (#"{"event":"unheard"}"#, "an event \"unheard\" is not known"),
    (#"{"event":"done"}"#, "an event \"done\" has a text \"id\""),
    (#"{"event":"position","id":"a","items":-1}"#, "has a whole number \"items\", from 0"),
    (#"{"event":"position","id":"a","items":1e300}"#, "has a whole number \"items\", from 0"),
    (#"{"event":"limited","host":"h","seconds":"soon"}"#, "has seconds \"seconds\""),
    (#"{"event":7}"#, "\"event\" is no text"),
    (String(repeating: "x", count: 3_000_000), "more than 1048576 bytes"),
  ])
  func `a line that tells nothing is named, and the page of the others is there`(
    line: String, message: String
  )
    throws
  {
    let (scratch, result) = try told([
      line, #"{"event":"done","id":"a","items":3}"#, #"{"event":"over","exitCode":0}"#,
    ])

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("warn: standard input, line 1: "), "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect((try data(scratch)["totals"] as? [String: Any])?["items"] as? Int == 3)
  }

  @Test func `lines without end are not said without end`() throws {
    let (_, result) = try told(Array(repeating: "no", count: 1000))

    #expect(result.errors.split(separator: "\n").count == 6)
    #expect(result.errors.contains("… and 995 lines more"))
  }

  @Test func `what must not be shown is nowhere`() throws {
    let (scratch, result) = try told(
      [
        #"{"id":"a","source":"rows","parameters":{"key":"hunter22 sesame"}}"#,
        #"{"event":"log","level":"warn","message":"http://h/?q=hunter22%20sesame"}"#,
        #"{"event":"failed","id":"a","message":"hunter22 sesame"}"#,
        #"{"event":"over","exitCode":1,"message":"hunter22 sesame"}"#,
      ], "--secret", "key=hunter22 sesame")

    #expect(result.exitCode == 0)
    #expect(try !scratch.text("run.html").contains("hunter22"))
    #expect(try scratch.text("run.html").contains("[secret]"))
  }

  @Test func `it is served while it goes on, and Ctrl-C is for the run`() throws {
    let scratch = try Scratch()

    let result = try scratch.shell(
      """
      mkfifo told; \(Repository.binary) watch feed.lua --listen 127.0.0.1:0 < told 2> errors & watch=$!
      exec 5> told
      until url=$(grep -o 'http.*' errors); do :; done
      kill -INT $watch
      echo '{"event":"done","id":"a","items":41}' >&5
      until curl -sf ${url}metrics | grep -q 'lookahead_items_total.* 41'; do :; done
      curl -s -o /dev/null -w '%{http_code} ' ${url}ready
      grep -E '^(Seccomp|NoNewPrivs):' /proc/$watch/status | tr -d '\\t\\n'
      echo '{"event":"over","exitCode":0}' >&5; exec 5>&-; wait $watch; echo " $?"
      """)

    #expect(result.output == "200 NoNewPrivs:1Seccomp:2 0\n", "\(result.errors)")
  }

  @Test func `without a page there is nothing to do`() throws {
    let result = try Command.lookahead(["watch"]).run()

    #expect(result.exitCode == 64)
    #expect(result.errors.contains("expected --listen ADDRESS for a live page, --report FILE"))
  }
}
