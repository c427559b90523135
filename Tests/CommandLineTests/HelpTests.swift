import Testing

@Suite(.waiting) struct HelpTests {
  @Test(arguments: [
    [], ["run"], ["get"], ["check"], ["lab"], ["browse"], ["new"], ["types"], ["drivers"], ["doctor"],
    ["manual"], ["watch"],
    ["repl"],
  ])
  func `help has examples, each on a line`(command: [String]) throws {
    let result = try Command.lookahead(command + ["--help"]).run()

    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "EXAMPLES"))
    let examples = lines[(start + 1)...].prefix { !$0.isEmpty }
    #expect(result.exitCode == 0)
    #expect(examples.count >= 2)
    #expect(examples.allSatisfy { $0.hasPrefix("  lookahead ") })
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: ["watch", "record", "Record", "first-source", "how-it-works"])
  func `help shows a chapter of the manual, as the manual does`(topic: String) throws {
    let help = try Command.lookahead(["help", topic]).run()
    let manual = try Command.lookahead(["manual", topic]).run()

    #expect(help.exitCode == 0 && manual.exitCode == 0)
    #expect(topic == "watch" || help.output == manual.output)
    #expect(manual.output.hasPrefix("# "))
    #expect(help.output.count > 300)
  }

  @Test(arguments: [["help", "recrod"], ["help", "nonsense"], ["manual", "recrod"]])
  func `a topic that is none is said, with the nearest one and all chapters`(line: [String]) throws {
    let result = try Command.lookahead(line).run()

    #expect(result.exitCode == 64)
    #expect(result.output == "")
    #expect(result.errors.contains("'\(line[1])'"))
    #expect(result.errors.contains("did you mean 'record'?") == (line[1] == "recrod"))
    #expect(result.errors.contains("chapters: first-source, scripts, api,"))
  }

  @Test(arguments: [["help"], ["help", "run"], ["help", "help"], ["help", "--help"]])
  func `help of a command is that of the command`(line: [String]) throws {
    let result = try Command.lookahead(line).run()

    #expect(result.exitCode == 0)
    #expect(result.output.contains("USAGE: lookahead"))
  }

  @Test func `the version is a number`() throws {
    let result = try Command.lookahead(["--version"]).run()

    #expect(result.exitCode == 0)
    #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `shells get completions`(shell: String) throws {
    let result = try Command.lookahead(["--generate-completion-script", shell]).run()

    #expect(result.exitCode == 0)
    #expect(result.output.contains("max-pages"))
  }

  /// What the contract of the command line promises of the parts that are there.
  private static let promised: [String: [String]] = [
    "run": [
      "-o, --output", "--format", "--tag", "-e, --param", "--params-file", "--secret", "--source", "--limit",
      "--max-pages", "--csv-safe", "-j, --concurrency", "--timeout", "--retries", "--retry-max-wait",
      "--rate",
      "--allow-net", "--allow-read", "--allow-write", "--allow-env", "-A, --allow-all", "--deny-net",
      "--deny-read",
      "--deny-write", "--deny-env", "--max-memory", "--max-cpu", "--max-body", "--trace", "--record",
      "--replay", "--progress",
      "-q, --quiet",
      "--log-level", "--log-format", "--summary", "--dry-run", "--preview", "--help-script",
    ],
    "get": [
      "--items", "--next", "--total", "--id", "--page-size", "--page-parameter", "--size-parameter",
      "-H, --header",
      "--as-script", "-o, --output", "--limit", "--timeout", "--allow-net", "--trace", "--summary",
      "--dry-run",
      "--preview",
    ],
    "check": ["--strict", "--format", "-h, --help"],
    "new": ["--bare"],
    "types": ["-o, --output", "--print", "--force"],
    "doctor": ["--format"], "drivers": ["--format"],
    "repl": ["-e, --param", "--secret", "--allow-net", "--max-memory"],
    "lab": [
      "--policy", "--workload", "--network", "--sessions", "--seed", "--set", "--tune", "--holdout", "--jobs",
      "--format", "-o, --output", "--report", "--sort", "--baseline", "--replay", "--summary",
    ],
    "browse": [
      "--source", "--policy", "--max-items", "--record", "--script", "--size", "--live", "--summary",
      "--allow-net", "--max-memory",
    ],
  ]

  @Test(arguments: ["run", "get", "check", "lab", "browse", "new", "types", "drivers", "doctor", "repl"])
  func `help names every option`(command: String) throws {
    let help = try Command.lookahead([command, "--help"]).run().output

    let missing = (Self.promised[command] ?? []).filter { !help.contains("  \($0)") }

    #expect(missing == [])
  }

  @Test(arguments: [
    (["run"], "error: Missing expected argument '<script>'"),
    (["run", "a.lua", "--nope"], "error: Unknown option '--nope'"),
    (["run", "a.lua", "--limit", "x"], "error: The value 'x' is invalid for '--limit <limit>'"),
    (["run", "a.lua", "--limit", "0"], "error: --limit 0: expected 1 or more"),
    (["run", "a.lua", "--max-pages", "0"], "error: --max-pages 0: expected 1 or more"),
    (["run", "a.lua", "--preview=0"], "error: --preview 0: expected 1 or more"),
    (["run", "a.lua", "--retries=-1"], "error: --retries -1: expected 0 or more"),
    (["run", "a.lua", "--timeout", "0"], "error: --timeout: expected a time that is more than none, as 30s"),
    (["run", "a.lua", "--timeout", "3q"], "error: The value '3q' is invalid for '--timeout <timeout>'"),
    (
      ["run", "a.lua", "--max-memory", "1x"],
      "error: The value '1x' is invalid for '--max-memory <max-memory>'"
    ),
    (["run", "a.lua", "--rate", "10"], "error: The value '10' is invalid for '--rate <rate>'"),
    (["run", "a.lua", "-j", "0"], "error: The value '0' is invalid for '-j <concurrency>'"),
    (["run", "a.lua", "--format", "xml"], "error: The value 'xml' is invalid for '--format <format>'"),
    (["run", "a.lua", "-e", "days"], "error: --param: expected name=value, got 'days'"),
    (["run", "a.lua", "--secret", "=x"], "error: --secret: expected name=value, got '=…'"),
    (["run", "a.lua", "--allow-net=a:b:c"], "error: --allow-net a:b:c: \"a:b:c\" names no host"),
    (["get", "ftp://x/y"], "error: \"ftp://x/y\" is not a URL to ask"),
    (["get", "http://x/y", "-H", "none"], "error: --header 'none': expected 'Name: value'"),
    (["get", "http://x/y", "--page-size", "0"], "error: --page-size 0: expected 1 or more"),
    (["check"], "error: Missing expected argument '<scripts> ...'"),
    (
      ["run", "a.lua", "--allow-net", "b.example"],
      "error: Unexpected argument 'b.example'\n  write --allow-net=b.example: "
    ),
    (["nope"], "error: Unexpected argument 'nope'"),
  ])
  func `a wrong command line ends with 64 and says what is wrong`(arguments: [String], error: String) throws {
    let result = try Command.lookahead(arguments).run()

    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix(error), "\(result.errors)")
    #expect(result.errors.contains("\nUsage: lookahead"))
    #expect(result.output == "")
  }
}
