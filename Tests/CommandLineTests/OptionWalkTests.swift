import Foundation
import Testing

/// Every option of every command does something: with it, a command line has another end than without it.
@Suite(.waiting) struct OptionWalkTests {
  /// What there is to see of a command that has ended.
  private struct Outcome: Equatable, CustomStringConvertible {
    var exitCode: Int32
    var output: String
    var errors: String
    var files: [String: String]
    /// How the server was asked, where that is what the option is about.
    var asking: String

    var description: String { "\(exitCode) \(files.keys.sorted())\n\(output)\n\(errors)" }
  }

  /// Options that all commands have.
  private static let common = ["--help", "--version"]

  @Test func `every option has a case, and every case an option`() throws {
    let options = Set(try CommandOption.all().filter { !Self.common.contains($0.option) })
    let cases = Set(
      OptionCase.all.flatMap { entry in
        entry.commands.map { CommandOption(command: $0, option: entry.option) }
      })

    #expect(options.count > 100)
    #expect(options.subtracting(cases).map(\.testDescription).sorted() == [])
    #expect(cases.subtracting(options).map(\.testDescription).sorted() == [])
  }

  @Test(arguments: [
    "run", "get", "repl", "browse", "lab", "check", "state", "partitions", "work", "collect", "watch",
    "report",
    "new", "types", "drivers", "doctor", "manual",
  ])
  func `an option changes what comes of a command`(command: String) throws {
    var known: [String: Outcome] = [:]
    for entry in OptionCase.all where entry.commands.contains(command) {
      let parts = [entry.prepare, entry.faults, entry.line(command, isGiven: false)]
      let key = parts.map { $0 ?? "" }.joined(separator: "\n")
      let without = try known[key] ?? outcome(entry, command, isGiven: false)
      if known[key] == nil {
        let again = try outcome(entry, command, isGiven: false)
        #expect(without == again, "\(command) \(entry.option): equal lines have two ends")
      }
      known[key] = without
      let with = try outcome(entry, command, isGiven: true)

      #expect(with != without, "\(command) \(entry.option): \(with)")
    }
  }

  @Test(arguments: [
    "run", "get", "repl", "browse", "lab", "check", "state", "partitions", "work", "collect", "watch",
    "report",
    "new", "types", "drivers", "doctor", "manual",
  ])
  func `what all commands have is there`(command: String) throws {
    let help = try Command.lookahead([command, "--help"]).run()
    let version = try Command.lookahead([command, "--version"]).run()

    #expect(help.output.contains("USAGE: lookahead \(command)"))
    #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  private func outcome(_ entry: OptionCase, _ command: String, isGiven: Bool) throws -> Outcome {
    let scratch = try Scratch()
    for (name, text) in OptionCase.files { try scratch.write(name, text) }
    let run = UUID().uuidString
    let base = Server.faults.base(
      run: run, ["items=120", entry.faults].compactMap { $0 }.joined(separator: "/"))
    let result = try scratch.shell(
      """
      \(OptionCase.prelude)base=\(base)
      { \(entry.prepare ?? ":"); } > /dev/null 2>&1
      \(entry.line(command, isGiven: isGiven))
      """)
    return Outcome(
      exitCode: result.exitCode, output: settled(result.output, run), errors: settled(result.errors, run),
      files: try files(in: scratch, run), asking: try asking(entry, run))
  }

  private func asking(_ entry: OptionCase, _ run: String) throws -> String {
    switch entry.option {
    case "--concurrency":
      try Server.faults.counts(run: run).max_in_flight > 3 ? "many at a time" : "few at a time"
    case "--retries": "\(try Server.faults.counts(run: run).requests) requests"
    default: ""
    }
  }

  /// The files with what is in them, but for reports, whose times are never the same; each worker has a name of its own.
  private func files(in scratch: Scratch, _ run: String) throws -> [String: String] {
    let paths = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String } ?? []
    return Dictionary(
      uniqueKeysWithValues: paths.map { path in
        let isTimed = [".jsonl", ".json", ".db", "log", ".latencies", ".calls", ".html"].contains {
          path.hasSuffix($0)
        }
        return (
          path.replacing(/work-[0-9a-f]+/, with: "work-RUN"),
          isTimed ? "" : settled((try? scratch.text(path)) ?? "", run)
        )
      })
  }

  /// Without what is never the same: times, rates, ports, the name of the run, and digests of URLs that have these.
  private func settled(_ text: String, _ run: String) -> String {
    text.replacing(run, with: "RUN").replacing(/127\.0\.0\.1:\d+|localhost:\d+/, with: "HOST")
      .replacing(/"request":"[0-9a-f]+"/, with: "REQUEST")
      .replacing(/in [\d.,]+ m?s \([\d,]+ items\/s\)/, with: "in TIME")
      .replacing(
        /"(seconds|itemsPerSecond|stalled|stallSeconds|frames?|[a-zA-Z]*[mM]illiseconds)":[\d.e-]+/, with: ""
      )
      .replacing(/\d+ requests?|\d\d:\d\d:\d\d(\.\d+)?|seconds=[\d.]+|stalled [\d.]+ s/, with: "CLOCK")
      .replacing(
        /\/tmp\/lookahead-[-A-F0-9]+/, with: "FOLDER")
  }
}
