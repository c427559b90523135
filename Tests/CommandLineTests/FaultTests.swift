import Foundation
import Testing

@Suite(.waiting) struct FaultTests {
  @Test(arguments: FaultCase.runs)
  func `nothing is lost, nothing comes twice, and the end is told`(run: FaultRun) throws {
    let fault = run.fault
    let base = Server.faults.base(run: run.name, "items=1000/\(fault.settings)")
    let arguments = [
      "run", "scripts/sources/\(run.script).lua", "--param", "base=\(base)", "--allow-net=127.0.0.1",
    ]

    let result = try Command.lookahead(arguments + (fault.options ?? [])).run()

    let errors = result.errors.normalised.replacing("scripts/sources/\(run.script).lua", with: "SCRIPT")
    let line = /SCRIPT:\d+:/
    let expected = fault.error ?? ""
    let shown = CommandResult(
      output: "",
      errors: expected.contains("SCRIPT:LINE:") ? errors.replacing(line, with: "SCRIPT:LINE:") : errors)
    #expect(result.exitCode == fault.exit ?? 0, "\(result.errors)")
    #expect(shown.error == expected)
    #expect(result.summary != nil)
    if let says = fault.says { #expect(errors.contains(says), "\(errors)") }
    let numbers = try #require(Items(lines: result.output)).numbers
    if let bounds = fault.prefix {
      #expect(numbers == Array(1...max(numbers.count, 1)))
      #expect((bounds[0]...bounds[1]).contains(numbers.count))
    } else {
      #expect(numbers == fault.expected)
    }
    try expectFaults(run)
  }

  /// The server did what the case is about.
  private func expectFaults(_ run: FaultRun) throws {
    guard let name = run.fault.faults else { return }
    let counts = try Server.faults.counts(run: run.name)
    #expect((counts.statuses[name] ?? 0) + (counts.faults[name] ?? 0) > 0)
  }

  @Test func `a server that is not there is a passing fault`() throws {
    let scratch = try Scratch(script: Scripts.asking)

    let result = try scratch.lookahead("run", "feed.lua", "--allow-net=127.0.0.1", "--retries", "1")

    #expect(result.exitCode == 75)
    #expect(
      result.error == """
        error: feed.lua:3: could not connect to 127.0.0.1:1 (connection refused)
          This may pass: run it again later.
        """)
  }

  @Test func `a host that has no address is a passing fault`() throws {
    let scratch = try Scratch(script: Scripts.asking.replacing("127.0.0.1:1", with: "nowhere.invalid"))

    let result = try scratch.lookahead("run", "feed.lua", "--allow-net=nowhere.invalid", "--retries", "0")

    #expect(result.exitCode == 75)
    #expect(result.error.hasPrefix("error: feed.lua:3: could not find the host nowhere.invalid"))
  }

  @Test func `what came before a failure is kept`() throws {
    let base = Server.faults.base(run: "kept", "items=1000/bad_json=4")
    let scratch = try Scratch(script: Scripts.pages)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-o", "items.ndjson", "--param", "base=\(base)", "--allow-net", "--retries", "0",
      "-j", "1")

    #expect(result.exitCode == 1)
    #expect(Items(lines: try scratch.text("items.ndjson"))?.numbers == Array(1...300))
  }

  @Test func `a server that is restarted is waited for, and a person is told once`() throws {
    let scratch = try Scratch(script: Scripts.pages)
    try scratch.write("late.py", Self.lateServer)

    let result = try scratch.shell(
      """
      port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
      python3 late.py $port 3 & server=$!
      lookahead run feed.lua -e base=http://127.0.0.1:$port --allow-net=127.0.0.1
      code=$?
      kill $server
      exit $code
      """)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(Items(lines: result.output)?.numbers == [1])
    let errors = result.errors.replacing(/127\.0\.0\.1:\d+/, with: "SERVER")
    let told = "warn: the server SERVER refuses connections; trying again for up to 2 min 32 s\n"
    #expect(errors.components(separatedBy: told).count == 2, "\(errors)")
    #expect(errors.contains("info: the server SERVER answers again\n"))
    #expect(!errors.contains("attempt="))
  }

  /// Serves one item, from some seconds on.
  private static let lateServer = """
    import http.server, sys, time
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b'{"items":[{"id":1}],"total":1}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *words):
            pass
    time.sleep(float(sys.argv[2]))
    http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
    """
}
