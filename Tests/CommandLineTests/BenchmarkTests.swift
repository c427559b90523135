import Testing

/// What `Benchmarks/run` says of others has to be right before it is worth measuring.
@Suite(.waiting) struct BenchmarkTests {
  @Test func `a wrong run has no time, and the tables say what was measured`() throws {
    let result = try Command("/usr/bin/env", ["python3", "Benchmarks/tests.py"]).run()

    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `the cases are listed without a peer, a server or a program`() throws {
    var command = Command("/usr/bin/env", ["python3", "Benchmarks/run", "--list"])
    command.environment = ["LOOKAHEAD_BINARY": "/nowhere"]

    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.errors)")
    for name in [
      "start", "sqlite-read", "json", "memory", "partitions", "paging-0", "paging-20", "paging-50",
    ] {
      #expect(result.lines.contains { $0.hasPrefix("\(name): ") }, "\(name)")
    }
  }
}
