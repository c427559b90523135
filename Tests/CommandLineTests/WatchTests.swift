import Foundation
import Testing

/// The page of a run: live, afterwards, and from a recording.
@Suite(.waiting) struct WatchTests {
  /// What a page is drawn from.
  private func data(of page: String) throws -> [String: Any] {
    let json = try #require(page.firstMatch(of: /<script type="application\/json" id="data">(.*?)<\/script>/))
      .output.1
    return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private static let hasBrowser = ["chromium", "chromium-browser", "google-chrome"].contains { name in
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
  }

  @Test(.enabled(if: hasBrowser))
  func `a person sees how a run goes, in any width and light, and how it went`() throws {
    let base = Server.faults.base(
      run: "watch", "items=200/latency_ms=150/jitter_ms=200/every_429=31/retry_after=1/every_503=17/reset=41")
    let command = Command.shell("python3 -B Tests/Browser/run_test.py \(Repository.binary) \(base)")

    let result = try command.run()

    #expect(result.output.split(separator: "\n").filter { !$0.hasPrefix("ok: ") } == [])
    #expect(result.output.split(separator: "\n").count > 40)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test(.enabled(if: hasBrowser))
  func `a person sees what many processes do, at ten thousand partitions`() throws {
    let command = Command.shell("python3 -B Tests/Browser/watch_test.py \(Repository.binary)")

    let result = try command.run()

    #expect(result.output.split(separator: "\n").filter { !$0.hasPrefix("ok: ") } == [])
    #expect(result.output.split(separator: "\n").count > 30)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `a report has what the run did`() throws {
    let base = Server.faults.base(run: "reportpage", "items=1000/every_503=5/retry_after=-1")
    let scratch = try Scratch(script: Scripts.pages)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-e", "base=\(base)", "--allow-net", "-o", "out.ndjson", "--report", "run.html")

    let page = try scratch.text("run.html")
    let data = try data(of: page)
    let totals = try #require(data["totals"] as? [String: Any])
    let run = try #require(data["run"] as? [String: Any])
    let faults = try #require(data["faults"] as? [[String: Any]])
    let streams = try #require(data["streams"] as? [[String: Any]])
    #expect(result.exitCode == 0)
    #expect(run["exitCode"] as? Int == 0)
    #expect(totals["items"] as? Int == 1000)
    #expect(totals["pages"] as? Int == 11)
    #expect(totals["retries"] as? Int == 2)
    #expect(faults.map { $0["place"] as? String } == ["feed.lua:4"])
    #expect(streams.map { $0["items"] as? Int } == [1000])
    #expect((streams.first?["rows"] as? [String])?.count == 5)
    #expect(!page.contains("src=") && page.contains("default-src 'none'"))
  }

  @Test func `a report says why a run failed, and at which line`() throws {
    let scratch = try Scratch(script: "local a = nil\nreturn a.b")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "out.ndjson", "--report", "run.html")

    let data = try data(of: try scratch.text("run.html"))
    let run = try #require(data["run"] as? [String: Any])
    let faults = try #require(data["faults"] as? [[String: Any]])
    #expect(result.exitCode == 65)
    #expect(run["exitCode"] as? Int == 65)
    #expect((run["message"] as? String)?.contains("attempt to index a nil value") == true)
    #expect(faults.map { $0["place"] as? String } == ["feed.lua:2"])
  }

  @Test func `a report and a page have no secret, wherever it is`() throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { token = { secret = true, required = true }, key = {} }
        lookahead.log.warn("with " .. p.token .. " and " .. p.key, { key = p.key })
        lookahead.emit({ id = 1, [p.token] = p.key, env = lookahead.env.get("SERVICE_TOKEN") })
        local source = lookahead.source { name = p.key }
        function source.fetch(context)
          lookahead.http.get("http://127.0.0.1:1/?api_key=inurl4711&x=" .. p.token,
            { headers = { Authorization = "Bearer inheader4711" } })
        end
        for _ in source:items() do end
        """)
    var command = Command.lookahead([
      "run", "feed.lua", "-o", "out.ndjson", "-e", "token=declared4711", "--secret", "key=given4711", "-A",
      "--retries", "0",
      "--report", "run.html",
    ])
    command.environment = ["SERVICE_TOKEN": "inenvironment4711"]

    let result = try command.within(scratch).run()

    let page = try scratch.text("run.html")
    #expect(result.exitCode != 0)
    #expect(try data(of: page)["badRequestCount"] as? Int == 1)
    #expect(page.contains("[secret]"))
    #expect(!page.contains("4711"), "\(page.matches(of: /.{60}4711/).map { String($0.output) })")
  }

  @Test func `the page of a recording has its requests and its items`() throws {
    let base = Server.faults.base(run: "recordedpage", "items=1000/every_503=5/retry_after=-1")
    let scratch = try Scratch(script: Scripts.pages)

    _ = try scratch.lookahead(
      "run", "feed.lua", "-e", "base=\(base)", "--allow-net", "-o", "out.ndjson", "--record", "run.jsonl")
    let result = try scratch.lookahead("report", "run.jsonl", "-o", "run.html")
    let replay = try scratch.lookahead(
      "run", "feed.lua", "-o", "again.ndjson", "--replay", "run.jsonl", "--report", "again.html")

    let data = try data(of: try scratch.text("run.html"))
    let totals = try #require(data["totals"] as? [String: Any])
    let again = try self.data(of: try scratch.text("again.html"))
    #expect(result.exitCode == 0)
    #expect(totals["items"] as? Int == 1000)
    #expect(totals["requests"] as? Int == 13)
    #expect((data["badRequests"] as? [Any])?.count == 2)
    #expect(replay.exitCode == 0)
    #expect((again["totals"] as? [String: Any])?["items"] as? Int == 1000)
    #expect((again["decisions"] as? [String: Any])?["count"] as? Int ?? 0 > 0)
  }

  @Test(arguments: [
    ("none.jsonl", 66, "none.jsonl"), ("feed.lua", 66, "this is no recording"),
  ])
  func `what is no recording makes no page`(file: String, exitCode: Int, message: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead("report", file, "-o", "run.html")

    #expect(result.exitCode == Int32(exitCode))
    #expect(result.errors.contains(message))
    #expect(!scratch.has("run.html"))
  }

  @Test func `a taken address ends the run before it begins`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      """
      python3 -c 'import socket,sys; s=socket.create_server(("127.0.0.1",0)); print(s.getsockname()[1],flush=True); sys.stdin.read()' \
        < <(exec sleep 30 2> /dev/null) > port & server=$!
      until [ -s port ]; do :; done
      lookahead run feed.lua -o out.ndjson --listen 127.0.0.1:$(cat port); code=$?; kill $server; exit $code
      """)

    #expect(result.exitCode == 73)
    #expect(result.errors.contains("another program listens there (port 0 is any free one)"))
    #expect(!scratch.has("out.ndjson"))
  }

  @Test func `a page that is killed leaves the run as it is`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      """
      \(Repository.binary) run feed.lua -e wait=0.1 -o out.ndjson --listen 127.0.0.1:0 2> errors & run=$!
      until grep -q http errors; do :; done
      kill -KILL $(\(PageProcess.command))
      wait $run; code=$?; wc -l < out.ndjson; exit $code
      """)

    #expect(result.exitCode == 0)
    #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "1000")
  }

  @Test func `threads of a run are on its page`() throws {
    let scratch = try Scratch(script: PartedScript.text)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "all.db", "--jobs", "2", "--report", "run.html")

    let data = try data(of: try scratch.text("run.html"))
    let partitions = try #require(data["partitions"] as? [String: Any])
    let items = (data["totals"] as? [String: Any])?["items"] as? Int
    #expect(result.exitCode == 0)
    #expect(
      partitions["states"] as? String == String(repeating: "d", count: partitions["count"] as? Int ?? -1))
    #expect(items ?? 0 > 0)
    #expect((data["pages"] as? [String: Any])?["landed"] as? Int ?? 0 > 0)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool")))
  func `metrics are as promtool wants them`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell(
      """
      \(Repository.binary) run feed.lua -e wait=0.2 -o out.ndjson --listen 127.0.0.1:0 2> errors & run=$!
      until url=$(grep -o 'http.*' errors); do :; done
      until curl -sf ${url}metrics > metrics; do :; done
      kill -INT $run; promtool check metrics < metrics
      """)

    #expect(result.exitCode == 0)
    #expect(result.output + result.errors == "")
  }
}
