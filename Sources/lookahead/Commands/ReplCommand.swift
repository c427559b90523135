import ArgumentParser

/// `lookahead repl`: a prompt for Lua, beside a script or without one.
struct ReplCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repl", _superCommandName: Release.name,
    abstract: "Explore: a prompt for Lua with everything that scripts have.",
    discussion: """
      EXAMPLES
        lookahead repl
        lookahead repl feed.lua --allow-net=example.com
        lookahead repl < lines.lua

      An expression shows its value, an unfinished line continues, a call that waits
      just works. Locals stay, _ is the last value and _3 that of line 3. A line that
      begins with a colon is a command; :? lists them. Tab completes, Ctrl-R searches
      the history, Ctrl-C stops what runs, Ctrl-D leaves.

      Without a terminal lines are read until the end, and the exit code is 1 when
      one of them failed.
      """)

  @Argument(
    help: "The script; its variables and sources are there at the prompt.", completion: .scripts)
  var script: String?

  @OptionGroup var page: ListenOptions
  @OptionGroup(title: "Parameters") var parameters: ParameterOptions
  @OptionGroup(title: "Limits") var limits: BrowseLimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var permissions: PermissionOptions

  @Flag(name: [.short, .long], help: "Print no greeting.")
  var quiet = false

  @Option(help: ArgumentHelp("The lowest level of log lines to show.", valueName: "level"))
  var logLevel = LogOptions.Level.info

  @Option(help: "The seed of random numbers, to repeat them; a new one unless given.")
  var seed: UInt64?

  @Flag(help: "Without a terminal: end at the first line that fails.")
  var stopOnError = false

  @Flag(help: "Don't run your init.lua.")
  var noInit = false

  func run() throws {
    let file = try script.map { path throws(RunExit) in try ScriptFile(path) }
    var log = try LogOptions.parse([])
    log.logLevel = logLevel
    let settings = ReplSettings(
      parameters: parameters, limits: limits, requests: requests, permissions: permissions, log: log,
      seed: seed, stopsOnError: stopOnError, skipsInit: noInit, isQuiet: quiet,
      listen: page.listen)
    throw try ReplSession(file, settings).run()
  }
}
