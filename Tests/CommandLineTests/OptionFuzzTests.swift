import Foundation
import Testing

/// Options of all commands with values that nobody means: a sentence and 64, or whatever the value is good for; never a signal.
@Suite(.waiting) struct OptionFuzzTests {
  private static let values = [
    "", "0", "-1", "9223372036854775807", "-9223372036854775808", "9999999999999999999999",
    "9999999999999999999999d",
    "99999999999999999999GB", "1e308", "1e-308", "nan", "inf", "-inf", "0x7fffffffffffffff", "١٢٣",
    "1.7976931348623157e309", ".",
    "1..2", "..", "a=b", "=", "@", "env:", "1/0", "1e308/s", "0/s", "\u{1B}[2J", "\u{202E}x", "x\ny", "-",
    "--", "x:y", "x=1..1e308:1e-300",
    "fixed:1e308", "lognormal:1e308,1e308", "reader:items=9223372036854775807", "leadingScreens(1e308)",
    "leadingScreens(nan)",
    "65535x65535", "PageDown*9999999999999999999", "wait:1e308", String(repeating: "9", count: 100_000),
  ]
  private static let commands: [(name: [String], options: [String])] = [
    (
      ["run", "feed.lua", "--limit=3", "--quiet"],
      [
        "limit", "max-pages", "max-memory", "max-cpu", "max-body", "refresh", "refreshes", "timeout",
        "retries",
        "retry-max-wait", "rate", "concurrency", "preview", "param", "secret", "params-file", "source",
        "format", "log-level",
        "progress", "allow-net", "deny-net", "allow-read", "replay",
      ]
    ),
    (
      ["get", "http://127.0.0.1:1/x", "--dry-run"],
      ["page-size", "preview", "items", "next", "total", "header", "page-parameter", "timeout", "max-body"]
    ),
    (
      ["lab", "--sessions=2", "--quiet"],
      [
        "sessions", "seed", "set", "tune", "holdout", "jobs", "policy", "workload", "network", "sort",
        "baseline", "format",
      ]
    ),
    (
      ["browse", "feed.lua", "--script", "q"],
      ["max-items", "size", "script", "policy", "max-memory", "max-cpu", "source"]
    ),
    (["repl", "--no-init"], ["seed", "max-memory", "max-cpu", "max-body", "log-level", "concurrency"]),
    (["check", "feed.lua"], ["format"]), (["types"], ["print"]),
  ]

  @Test(arguments: [1, 2, 3])
  func `no value of an option ends the program by a signal`(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let scratch = try Scratch(script: Scripts.numbers)
    for (name, options) in Self.commands {
      for option in options {
        let value = Self.values[random.below(Self.values.count)]
        let given = name.filter { !$0.hasPrefix("--\(option)=") }
        let result = try Command.lookahead(given + ["--\(option)=\(value)"]).within(scratch).run()

        let told =
          "seed \(seed): \(given.joined(separator: " ")) --\(option)=\(value.prefix(60)): \(result.exitCode)"
        #expect(
          [0, 1, 2, 64, 65, 66, 73, 75, 77].contains(result.exitCode), "\(told) \(result.errors.prefix(300))")
        #expect(result.exitCode == 0 || !result.errors.isEmpty, "\(told)")
        #expect(!result.errors.unicodeScalars.contains("\u{1B}"), "\(told)")
      }
    }
  }

  @Test(arguments: [
    ["run", "feed.lua", "--max-cpu=9223372036854775807"],
    ["run", "feed.lua", "--timeout=9999999999999999999999"],
    ["run", "feed.lua", "--refresh=9999999999999999999999s"],
    ["run", "feed.lua", "--max-body=9999999999999999999999GB"],
    ["browse", "feed.lua", "--script", "q", "--max-cpu=9223372036854775807"],
    ["lab", "--jobs=9223372036854775807"],
    ["get", "http://127.0.0.1:1/", "--page-size=9223372036854775807"],
  ])
  func `a number behind the border is a wrong command line`(arguments: [String]) throws {
    let result = try Scratch(script: Scripts.numbers).lookaheadAll(arguments)

    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: "))
  }
}

extension Scratch {
  func lookaheadAll(_ arguments: [String]) throws -> CommandResult {
    try Command.lookahead(arguments).within(self).run()
  }
}
