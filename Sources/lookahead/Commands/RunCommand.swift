import ArgumentParser

/// `lookahead run`: a script's items go to the sink.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a script: its items go to the output.",
    discussion: """
      EXAMPLES
        lookahead run feed.lua                                    items as lines of JSON on standard output
        lookahead run feed.lua -o items.db --param repo=apple/swift --allow-net=api.github.com
        lookahead run feed.lua --preview                          the first items as a table

      EXIT CODES
        0 done · 1 failed · 2 budget of the script · 64 usage · 65 the script is wrong · 66 script not found
        73 output can't be written · 75 a passing fault, try again · 77 permission denied · 130 interrupted
      """)

  @Argument(help: "The script.")
  var script: String

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Parameters") var parameters: ParameterOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var permissions: PermissionOptions
  @OptionGroup(title: "Reports") var report: ReportOptions

  @Option(help: "A source to read, of those that the script returns; repeat for more.")
  var source: [String] = []

  @Flag(help: "Print the requests that would be made first, and send none.")
  var dryRun = false

  @Option(help: "Show the first items (20) as a table instead of writing them.")
  var preview: Int?

  @Flag(help: "List the parameters that the script declares.")
  var helpScript = false

  func run() throws {
    let file = try ScriptFile(script)
    if helpScript { return print(try ScriptHelp(file).text) }
    let settings = RunSettings(
      output: output, requests: requests, limits: limits, permissions: permissions, parameters: parameters,
      report: report, sources: source, isDryRun: dryRun, preview: preview)
    throw try RunSession(file, settings).run()
  }
}
