import Foundation
import Testing

/// What a collector gets, read with the official definitions of its protocol.
@Suite(.waiting) struct OTLPTests {
  /// Whether this machine has the definitions; `scripts/bootstrap.sh --tests` installs them.
  private static let hasDefinitions =
    (try? Command.shell("Tests/.venv/bin/python -c 'import opentelemetry.proto.collector.trace.v1'").run()
      .exitCode)
    == 0

  private struct Payload: Decodable {
    let path: String
    let names: [String]
    let wrong: [String]
    let traces: [String]?
    let parents: [String]?
    let text: String?
  }

  /// Runs this with a collector at `$url`; what it got, and how the run ended.
  private func run(
    _ arguments: String, script: String, collector: String = ""
  ) throws -> (result: CommandResult, payloads: [Payload], scratch: Scratch) {
    let scratch = try Scratch(script: script)
    let result = try scratch.shell(
      """
      \(Repository.root.path)/Tests/.venv/bin/python \(Repository.root.path)/Tests/Servers/otlp_receiver.py got \(collector) \
        < <(exec sleep 60 2> /dev/null) > port & collector=$!
      until [ -s port ]; do :; done
      url=http://127.0.0.1:$(cat port)
      \(Repository.binary) run feed.lua -o out.ndjson --otlp $url \(arguments); code=$?
      kill $collector; exit $code
      """)
    let lines = (try? scratch.text("got").split(separator: "\n")) ?? []
    let payloads = try lines.map { try JSONDecoder().decode(Payload.self, from: Data($0.utf8)) }
    return (result, payloads, scratch)
  }

  @Test(.enabled(if: hasDefinitions))
  func `a collector gets a span of each request, page and decision, and the metrics`() throws {
    let base = Server.faults.base(run: "otlp", "items=1000/every_503=5/retry_after=-1/latency_ms=20")

    let (result, payloads, _) = try run(
      "-e base=\(base) --secret key=hunter22open --allow-net",
      script: Scripts.pages
        .replacing("per_page =", with: "api_key = \"inurl4711\", key = p.key, per_page =")
        .replacing("parameters {", with: "parameters { key = {},"))

    let spans = payloads.filter { $0.path == "/v1/traces" }
    let names = spans.flatMap(\.names)
    let metrics = Set(payloads.filter { $0.path == "/v1/metrics" }.flatMap(\.names))
    let text = spans.compactMap(\.text).joined()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(payloads.flatMap(\.wrong) == [])
    #expect(names.count { $0 == "run" } == 1)
    #expect(names.count { $0 == "GET" } == 13)
    #expect(names.count { $0 == "fetch" } == 11)
    #expect(names.contains("decide"))
    #expect(Set(spans.compactMap(\.traces).joined()).count == 1)
    #expect(Set(spans.compactMap(\.parents).joined()).count == 1)
    #expect(
      metrics.isSuperset(of: ["lookahead.items", "lookahead.request_duration_seconds", "lookahead.pages"]))
    #expect(!text.contains("hunter22") && !text.contains("4711") && text.contains("[secret]"))
    #expect(!result.errors.contains("--otlp"))
  }

  @Test(.enabled(if: hasDefinitions), arguments: ["--status 503", "--hang"])
  func `a collector that does not take anything costs a warning at most`(fault: String) throws {
    let (result, _, scratch) = try run("-q", script: Scripts.numbers, collector: fault)

    #expect(result.exitCode == 0)
    #expect(try scratch.text("out.ndjson").split(separator: "\n").count == 1000)
  }

  @Test func `a collector that is not there is warned of once, and the run goes on`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead(
      "run", "feed.lua", "-e", "wait=0.2", "-o", "out.ndjson", "--otlp", "http://127.0.0.1:1")

    #expect(result.exitCode == 0)
    #expect(result.errors.matches(of: #/warn: --otlp http://127\.0\.0\.1:1: /#).count == 1)
    #expect(try scratch.text("out.ndjson").split(separator: "\n").count == 1000)
  }

  @Test(arguments: ["127.0.0.1:4318", "ftp://h", "http://h?a=b", "http://", "http://h/#x"])
  func `what is no address of a collector is refused`(url: String) throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.lookahead("run", "feed.lua", "-o", "out.ndjson", "--otlp", url)

    #expect(result.exitCode == 64)
    #expect(!scratch.has("out.ndjson"))
  }
}
