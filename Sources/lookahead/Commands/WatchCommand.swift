import ArgumentParser
import Glibc
import Hosting

/// `lookahead watch`: the page of a run that other processes do.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", _superCommandName: Release.name,
    abstract: "Serve the page of a run that other processes do.",
    usage: "lookahead watch [<script>] [<options>]",
    discussion: """
      EXAMPLES
        lookahead work feed.lua -o a/ --parts < list | lookahead watch --listen :8090
        lookahead watch feed.lua --report run.html < told.ndjson

      A line of standard input is what lookahead partitions or lookahead work prints,
      with the name of the worker where there are several, or what only an engine
      knows; the manual's chapter on watching has all of them. It ends with standard
      input, or when it is told that the run is over. lookahead-ray --listen does it.
      """)

  @Argument(help: "What the page calls the run: its script.")
  var script = "a run"

  @OptionGroup(title: "Page") var live: ListenOptions

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("Write that page as one HTML file when the run has ended.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "A text that the page must not show, wherever it is told.", valueName: "name=@file|env:variable|value"))
  var secret: [String] = []

  @OptionGroup(title: "Reports") var log: LogOptions

  func validate() throws {
    for text in secret { _ = try ParameterOptions.pair(text, option: "--secret") }
    if live.listen == nil, page == nil {
      throw ValidationError(
        "expected --listen ADDRESS for a live page, --report FILE for one of the end, or both")
    }
  }

  func run() throws {
    let given = try GivenParameters(try ParameterOptions.parse(secret.flatMap { ["--secret", $0] }))
    let voice = Voice(log, secrets: given.secrets)
    let wishes = RunWatch.Wishes(listen: live.listen, report: page)
    guard let watch = try RunWatch(of: script, wishes, SecretMask(given.secrets)) else { return }
    // Ctrl-C ends the run; the page has to hear how.
    signal(SIGINT, isatty(STDIN_FILENO) == 1 ? SIG_DFL : SIG_IGN)
    try watch.begin(telling: voice)
    var cage = ScriptCage(loading: [])
    cage.opened(watch.report)
    try cage.enter(telling: voice)
    defer { ScriptCage.leave() }
    throw WatchProgram(watch, voice).run()
  }
}
