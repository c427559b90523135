import ArgumentParser
import Glibc
import Hosting

/// `lookahead work`: reads the partitions that come on standard input.
struct WorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", _superCommandName: Release.name,
    abstract: "Read the partitions that come on standard input, for an engine.",
    discussion: """
      EXAMPLES
        lookahead partitions feed.lua | lookahead work feed.lua -o all/ --parts
        lookahead partitions feed.lua | lookahead work feed.lua -o all.db --at-once 4
        lookahead partitions feed.lua | lookahead work feed.lua -o postgresql://… --run monday

      A line of standard input is a partition as `lookahead partitions` prints it; at
      the end of standard input what was begun is finished. Standard output has an
      event a line: started, position, done, failed, end. Several workers may write
      the same folder or database, from wherever they see it: each partition belongs
      to who has claimed it last. It ends with the process that started it. The
      section BEYOND ONE MACHINE of the manual has the rest.
      """)

  @Argument(help: "The script.", completion: .scripts)
  var script: String

  @Option(
    name: [.short, .long],
    help: "A folder of parts (ends in /, with --parts), an SQLite file, or postgresql://….",
    completion: .file())
  var output: String

  @Flag(help: PartsOption.help)
  var parts = false

  @OptionGroup(title: "Parameters") var parameters: ParameterOptions
  @OptionGroup(title: "Limits") var limits: ScriptLimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var permissions: PermissionOptions
  @OptionGroup(title: "Reports") var log: LogOptions

  @Option(help: ArgumentHelp("Partitions that are read at once.", valueName: "partitions"))
  var atOnce = 8

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "The run of a database that this worker is one of: another name reads all partitions anew. Without it, the last run goes on.",
      valueName: "name"))
  var runName: String?

  @Flag(help: "Ask on standard output before requests are sent, for permits that come on standard input.")
  var gate = false

  func validate() throws {
    try Border.check(atOnce, "--at-once", 1...10_000)
    if parts { try PartsOption.check(try outputOptions, try .parse([])) }
    if parts, runName != nil {
      throw ValidationError("--run: in a folder of parts, `lookahead collect` ends a run; leave it out")
    }
    if !parts, !SinkFormat.format(forPath: output).isShareable {
      throw ValidationError(
        "-o \(OutputName.shown(output)): expected a folder with --parts, or a database (-o FILE.db, -o postgresql://…)"
      )
    }
  }

  func run() throws {
    guard ParentProcess.follow() else { throw RunExit.interrupted }
    var settings = RunSettings(
      output: try outputOptions, state: try .parse([]), requests: requests, limits: try limits.all,
      permissions: permissions, parameters: parameters, report: try .only(log))
    settings.work = WorkSession.Settings(atOnce: atOnce, hasGate: gate, run: runName)
    settings.parts = parts ? PartsOptions() : nil
    settings.parts?.isShared = true
    throw try RunSession(try ScriptFile(script), settings).run()
  }

  private var outputOptions: OutputOptions {
    get throws {
      var options = try OutputOptions.parse([])
      options.output = output
      return options
    }
  }
}
