import Foundation
import Testing

@Suite(.waiting) struct ReadmeTests {
  /// A command of the README or the manual with the output that it claims.
  struct Transcript: CustomTestStringConvertible {
    let command: String
    var output: [String] = []

    var testDescription: String { command }

    /// Where it leaves recordings.
    var recordings: [String] {
      command.matches(of: /--record (\S+)/).map { match in
        Repository.root.appendingPathComponent(String(match.output.1)).path
      }
    }

    /// Those that run in the checkout; the first source is made in a folder of its own.
    static let all =
      transcripts(in: readme)
      + pages.filter { $0.key != "first-source.md" }.sorted { $0.key < $1.key }.flatMap {
        transcripts(in: $0.value)
      }

    /// Those of the first source, which follow each other.
    static let firstSource = transcripts(in: pages["first-source.md"] ?? "")

    /// Every line that begins with a dollar in a block of console, and what follows it.
    private static func transcripts(in text: String) -> [Transcript] {
      var transcripts: [Transcript] = []
      var isInside = false
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```") {
          isInside = line == "```console"
        } else if isInside, line.hasPrefix("$ ") {
          transcripts.append(Transcript(command: String(line.dropFirst(2))))
        } else if isInside {
          transcripts[transcripts.count - 1].output.append(String(line))
        }
      }
      return transcripts
    }
  }

  private static let readme = (try? Repository.text("README.md")) ?? ""
  /// The pages of the manual, by their names.
  private static let pages = ManualTests.pages
  /// The README with all pages behind it.
  private static let text = readme + pages.sorted { $0.key < $1.key }.map(\.value).joined()

  @Test(arguments: Transcript.all)
  func `a transcript is what comes out`(transcript: Transcript) throws {
    let line = transcript.command.replacing("scripts/lookahead ", with: "lookahead ")
    defer { for path in transcript.recordings { try? FileManager.default.removeItem(atPath: path) } }

    let result = try Command.shell(line).run()

    let lines = result.output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
      String.init)
    #expect(transcript.command.hasPrefix("scripts/lookahead "))
    #expect(!transcript.output.isEmpty)
    #expect(lines.last == "")
    #expect(lines.dropLast() == transcript.output[...])
  }

  @Test func `the README is short`() {
    #expect(Self.readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 180)
  }

  @Test func `there are transcripts`() {
    #expect(Transcript.all.count >= 4)
    #expect(Transcript.firstSource.count >= 4)
  }

  @Test func `the first source is what a newcomer gets`() throws {
    let scratch = try Scratch()

    for transcript in Transcript.firstSource {
      let result = try scratch.shell("{ \(transcript.command); } 2>&1 | grep -v ' items/s)$'")

      #expect(result.output == transcript.output.map { $0 + "\n" }.joined(), "\(transcript.command)")
    }
  }

  @Test func `the first script is the quick start`() throws {
    let blocks = Self.readme.components(separatedBy: "```lua\n")
    let first = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)

    #expect(first == (try Repository.text("scripts/quickstart.lua")))
  }

  @Test func `every option of the README and the manual is an option of a command`() throws {
    let commands = try Command.lookahead(["--help"]).run().lines.drop { $0 != "SUBCOMMANDS:" }
      .compactMap { $0.wholeMatch(of: #/  ([a-z]+)( .*)?/#).map { String($0.output.1) } }
    let others = try ["scripts/bootstrap.sh", "scripts/package.sh", "scripts/ray/lookahead_ray/options.py"]
      .map(Repository.text)
    let help =
      try commands.map { try Command.lookahead([$0, "--help"]).run().output }.joined() + others.joined()

    let options = Self.text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
    let unknown = Set(options).subtracting(["--deny-", "--generate-completion-script"]).filter {
      help.firstMatch(of: try! Regex("\($0)\\b")) == nil
    }

    #expect(options.count > 15)
    #expect(unknown == [])
  }

  @Test func `the exit codes of the manual are those of the help`() throws {
    let help = try Command.lookahead(["run", "--help"]).run().output

    let rows = Self.text.matches(of: /\n\| (\d+) \| (.+?) \|/).map { "\($0.output.1) \($0.output.2)" }
    let lines = help.split(separator: "\n").compactMap { $0.firstMatch(of: /^ +(\d+)  (.+)$/) }
      .map { "\($0.output.1) \($0.output.2)" }

    #expect(rows.count == 11)
    #expect(rows == lines)
  }

  @Test func `every folder and file that the README and the manual name is there`() {
    let paths = Self.text.matches(of: /scripts\/[a-z_\/-]+(\.[a-z]+)?/).map { String($0.output.0) }

    let missing = Set(paths).filter { path in
      !FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path)
    }

    #expect(paths.count > 10)
    #expect(missing == [])
  }
}
