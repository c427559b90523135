import Foundation
import Testing

/// `lookahead work --gate`: no request without a permit.
@Suite(.waiting) struct GateTests {
  private static let script = """
    local p = lookahead.parameters { base = { required = true, partition = false } }
    local pages = lookahead.source {
      name = "pages", keys = "page", pageSize = 10, rateLimit = { requests = 1000, per = 1 },
    }
    function pages.fetch(context)
      local page = lookahead.http.get(p.base .. "/items", { query = { page = context.key, per_page = 10 } }):json()
      return { items = page.items, total = page.total }
    end
    return pages:partitions({ 1, 2, 3 }, function(n) return { n = n } end)
    """

  private func worker(_ run: String, _ scratch: Scratch, _ settings: String = "items=60") throws -> Workshop {
    let base = Server.faults.base(run: run, settings)
    let lines = try scratch.lookahead("partitions", "feed.lua", "-q", "-e", "base=\(base)").lines
    let worker = try Workshop(
      scratch, "feed.lua", "-o", "all/", "--parts", "--gate", "--allow-net", "-e", "base=\(base)")
    for line in lines { worker.order(line) }
    return worker
  }

  private func grant(_ permits: Int, _ seconds: Double = 30) -> String {
    #"{"grant":{"host":"\#(Server.faults.address)","permits":\#(permits),"lease":\#(seconds)}}"#
  }

  @Test func `it sends as many requests as it has permits, and asks for more`() throws {
    let scratch = try Scratch(script: Self.script)
    let worker = try worker("gate-permits", scratch)
    #expect(worker.read { $0.name == "permits" && $0.count("want") > 0 }, "\(worker.sayings)")
    #expect(worker.events.contains { ($0.members["rate"] as? [String: Any])?["requests"] as? Int == 1000 })
    let before = try Server.faults.counts(run: "gate-permits").requests
    worker.order(grant(2))
    #expect(worker.read { $0.name == "permits" && $0.count("used") > 0 })
    // Its next sign of life comes when everything that it could send was sent.
    let signs = worker.events.count { $0.name == "progress" }
    #expect(worker.read { _ in worker.events.count { $0.name == "progress" } > signs + 1 })
    let between = try Server.faults.counts(run: "gate-permits").requests
    for _ in 1...40 { worker.order(grant(1)) }
    #expect(worker.read { _ in worker.events.count { $0.name == "done" } == 3 }, "\(worker.sayings)")
    let code = worker.finish()

    #expect(before == 0 && between == 2)
    #expect(code == 0, "\(worker.sayings)")
    let used = worker.events.reduce(0) { $0 + max(0, $1.name == "permits" ? $1.count("used") : 0) }
    #expect(try Server.faults.counts(run: "gate-permits").requests >= used)
    // What it has used last, it may have had no time to tell.
    #expect(used >= 2 && used <= 42)
  }

  @Test func `without anybody to grant permits what has none fails, and what has some is sent`() throws {
    let scratch = try Scratch(script: Self.script)
    let worker = try worker("gate-end", scratch)
    #expect(worker.read { $0.name == "permits" })
    worker.order(grant(2))
    let code = worker.finish()

    #expect(code == 1, "\(worker.sayings)")
    #expect(worker.events.count { $0.name == "failed" } == 3)
    #expect(worker.sayings.contains("standard input has ended"), "\(worker.sayings)")
    #expect(try Server.faults.counts(run: "gate-end").requests == 2)
  }

  @Test func `a permit whose time has passed is given back`() throws {
    let scratch = try Scratch(script: Self.script)
    let worker = try worker("gate-lease", scratch)
    #expect(worker.read { $0.name == "permits" })
    let past = ProcessInfo.processInfo.systemUptime - 3600
    worker.order(#"{"grant":{"host":"\#(Server.faults.address)","permits":5,"until":\#(past)}}"#)

    #expect(worker.read { $0.name == "permits" && $0.count("unused") == 5 })
    #expect(try Server.faults.counts(run: "gate-lease").requests == 0)
  }

  @Test func `a pause holds what has permits`() throws {
    let scratch = try Scratch(script: Self.script)
    let worker = try worker("gate-pause", scratch)
    #expect(worker.read { $0.name == "permits" })
    worker.order(#"{"pause":{"host":"\#(Server.faults.address)","seconds":3000}}"#, grant(5, 0.3))

    #expect(worker.read { $0.name == "permits" && $0.count("unused") == 5 })
    #expect(try Server.faults.counts(run: "gate-pause").requests == 0)
  }

  @Test func `a server that asks to wait is told of`() throws {
    let scratch = try Scratch(script: Self.script)
    let worker = try worker("gate-limited", scratch, "items=60/every_429=2/retry_after=1")
    worker.order(grant(40))

    #expect(worker.read { $0.name == "limited" && $0.members["host"] as? String == Server.faults.address })
  }
}
