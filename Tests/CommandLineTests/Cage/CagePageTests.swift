import Foundation
import Testing

/// The cage of the processes beside a run: the server of its page, and what tells a collector.
@Suite(.waiting, .enabled(if: Hole.isHeld)) struct CagePageTests {
  private static let files = ["read /etc/passwd", "make /tmp/lookahead-hole", "socket 2"]

  /// What came of each deed in a process beside the script's, once the page of the run was asked for.
  private func answers(_ deeds: [String], _ arguments: String, environment: [String: String] = [:]) throws
    -> (answers: [String: String], output: String)
  {
    let hole = try Hole()
    var command = Command.shell(
      """
      lookahead run scripts/feed.lua -o out.ndjson \(arguments) 2> errors & run=$!
      until url=$(grep -o 'http://127[^ ]*' errors); do :; done
      curl -s -o /dev/null -w '%{http_code}' $url; wait $run
      """
    ).within(hole.scratch)
    command.environment = environment.merging([
      "LOOKAHEAD_CAGE_PROBE": deeds.joined(separator: ";"),
      "LOOKAHEAD_CAGE_PROBE_FILE": hole.scratch.path + "/beside",
    ]) { $1 }
    let result = try command.run()
    var answers: [String: String] = [:]
    for line in try hole.scratch.text("beside").split(whereSeparator: \.isNewline) {
      let parts = line.dropFirst("probe ".count).split(separator: ": ", maxSplits: 1)
      answers[parts[0].trimmingCharacters(in: .whitespaces)] = parts.count > 1 ? String(parts[1]) : ""
    }
    return (answers, result.output)
  }

  @Test func `a hole in the page's process finds nothing, and the page is served`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let deeds = Self.files + Hole.never

    let served = try scratch.shell(
      """
      \(Repository.binary) run feed.lua -e wait=0.2 -o out.ndjson --listen 127.0.0.1:0 2> errors & run=$!
      until url=$(grep -o 'http://[^ ]*' errors); do :; done
      page=$(\(PageProcess.command))
      for attempt in 1 2 3; do curl -s -o /dev/null -w '%{http_code} ' $url; done
      grep -hE '^(Seccomp|NoNewPrivs):' /proc/$page/status | tr -d '\\t\\n'
      kill -INT $run; wait $run
      """)
    let answers = try answers(deeds, "--listen 127.0.0.1:0").answers

    #expect(served.output == "200 200 200 NoNewPrivs:1Seccomp:2")
    #expect(deeds.filter { !Hole.refusals.contains(answers[$0] ?? "nothing") } == [])
  }

  @Test func `without a cage the page is served all the same, and its process finds what there is`() throws {
    let (answers, _) = try answers(
      ["read /etc/passwd"], "--listen 127.0.0.1:0", environment: ["LOOKAHEAD_CAGE": "off"])

    #expect(answers == ["read /etc/passwd": "done"])
  }

  @Test(arguments: ["landlock", "all"])
  func `on a kernel without a cage the page is served`(calls: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let older = Repository.root.appendingPathComponent("Tests/Servers/older_kernel.py").path

    let result = try scratch.shell(
      """
      python3 \(older) \(calls) \(Repository.binary) run feed.lua -e wait=0.1 -o out.ndjson --listen 127.0.0.1:0 2> errors & run=$!
      until url=$(grep -o 'http://[^ ]*' errors); do :; done
      curl -s -o /dev/null -w '%{http_code}' $url; wait $run; echo " $?"
      """)

    #expect(result.output == "200 0\n")
  }

  @Test func `a hole in the process that tells a collector reaches its port and nothing else`() throws {
    let port = Server.faults.port
    let hole = try Hole()
    let deeds = ["connect \(port)", "connect \(port ^ 1)", "read /etc/passwd", "execute /bin/echo", "fork"]
    var command = Command.lookahead([
      "run", "scripts/feed.lua", "-o", "out.ndjson", "--otlp", "http://127.0.0.1:\(port)/otlp",
    ]).within(hole.scratch)
    command.environment = [
      "LOOKAHEAD_CAGE_PROBE": deeds.joined(separator: ";"),
      "LOOKAHEAD_CAGE_PROBE_FILE": hole.scratch.path + "/beside",
    ]

    _ = try command.run()
    let lines = try hole.scratch.text("beside").split(separator: "\n").map(String.init)

    #expect(
      lines == [
        "probe connect \(port): done", "probe connect \(port ^ 1): EACCES", "probe read /etc/passwd: EACCES",
        "probe execute /bin/echo: EPERM", "probe fork : EPERM",
      ])
  }
}
