import ArgumentParser
import Hosting

/// `lookahead run`: a script's items go to the sink.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", _superCommandName: Release.name,
    abstract: "Run a script: its items go to the output.",
    discussion: """
      EXAMPLES
        lookahead run feed.lua
        lookahead run feed.lua --preview
        lookahead run feed.lua -o items.db --param days=30 --allow-net=example.com
        lookahead run feed.lua -o items.db --refresh 30s
        lookahead run feed.lua -o items.db --listen 127.0.0.1:8090

      On a terminal, a call that no option allows is asked for there; --no-prompt
      refuses it.

      A file takes its name when the run ends well: until then it is FILE.partial,
      and an old one stays as it was. The section OUTPUT of the manual has the rest
      (lookahead manual | man -l -).

      EXIT CODES
         0  done: all is there, or as much as was asked for
         1  the run failed, or items are missing
         2  stopped by a limit of the script's budget
        64  the command line is wrong
        65  the script is wrong
        66  an input was not found
        70  a bug of ours
        73  the output can't be written
        75  a passing fault, such as a rate limit or the network: try again
        77  permission denied
       130  interrupted
      """)

  @Argument(help: "The script.", completion: .scripts)
  var script: String

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Parameters") var parameters: ParameterOptions
  @OptionGroup(title: "Going on") var state: StateArguments
  @OptionGroup(title: "Keeping up to date") var refresh: RefreshOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var permissions: PermissionOptions
  @OptionGroup(title: "Reports") var report: ReportOptions

  @Option(help: "A source to read, of those that the script returns; repeat for more.")
  var source: [String] = []

  @Option(
    help: ArgumentHelp(
      "What incremental sources take for their bookmark in this run, as JSON or a text.", valueName: "value"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      "The greatest bookmark that incremental sources bring in this run, as JSON or a text.",
      valueName: "value"))
  var until: String?

  @Flag(help: PartsOption.help)
  var parts = false

  @Option(
    help:
      "Threads that read partitions, each with a Lua state of its own: a number, or auto for all cores. (default: 1)"
  )
  var jobs: JobCount?

  @Option(
    help: ArgumentHelp(
      "Read only one share of so many of the partitions, as 2/8; rates are divided by their number.",
      valueName: "i/n"))
  var shard: ShardOption?

  @Flag(help: "Print the requests that would come first, and send none.")
  var dryRun = false

  @Option(help: "Show the first items (20) as a table instead of writing them.")
  var preview: Int?

  @Flag(help: "Refuse what is not allowed; otherwise a run on a terminal asks there.")
  var noPrompt = false

  @Flag(help: "List the parameters that the script declares.")
  var helpScript = false

  func validate() throws {
    try refresh.validate(with: limits)
    try Border.check(preview, "--preview", Border.held)
    if parts {
      try PartsOption.check(output, state)
      try PartsOption.check(limits, refreshes: refresh.rule != nil)
    }
    if shard != nil, refresh.rule != nil { throw ValidationError("--shard and --refresh: say one of them") }
  }

  func run() throws {
    let file = try ScriptFile(script)
    if helpScript {
      try ScriptCage(loading: [script]).enter()
      return StandardOutput.show(try ScriptHelp(file).text)
    }
    var settings = RunSettings(
      output: output, state: state, requests: requests, limits: limits, permissions: permissions,
      parameters: parameters,
      report: report, sources: source, since: since, until: until, refresh: refresh.rule, isDryRun: dryRun,
      preview: preview, asks: !noPrompt, jobs: jobs?.threads ?? 1
    )
    settings.shard = shard?.shard
    settings.parts = parts ? PartsOptions() : nil
    settings.parts?.endsRun = true
    throw try RunSession(file, settings).run()
  }
}
