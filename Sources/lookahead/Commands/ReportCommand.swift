import ArgumentParser
import Hosting
import Reports

/// `lookahead report`: the page of a recorded run.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", _superCommandName: Release.name,
    abstract: "Make the page of a run from its recording.",
    discussion: """
      EXAMPLES
        lookahead run feed.lua --record run.jsonl
        lookahead report run.jsonl -o run.html

      The page has what a recording has: requests, answers and deliveries with their
      times. Decisions and rows are in that of a run (lookahead run --report), also of
      one that is replayed (lookahead run feed.lua --replay run.jsonl --report run.html).
      """)

  @Argument(help: "A file that lookahead run --record has written.", completion: .file())
  var recording: String

  @Option(
    name: [.short, .long], help: "Where the page goes; - is standard output.",
    completion: .file(extensions: ["html"]))
  var output = "-"

  func run() throws {
    let page: RunPage
    do throws(RecordingError) {
      page = RecordedTelemetry(try Recording.read(recording)).page
    } catch {
      standardError("error: \(recording)\(error.wording)")
      throw RunExit.noInput
    }
    try ResultFile(output).write([page.html(nonce: "page")])
  }
}
