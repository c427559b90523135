import ArgumentParser

/// `lookahead partitions`: what a script would read, one partition a line.
struct PartitionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "partitions", _superCommandName: Release.name,
    abstract: "List the partitions that a script reads, one a line.",
    discussion: """
      EXAMPLES
        lookahead partitions feed.lua
        lookahead partitions feed.lua -e days=30 --allow-net | lookahead work feed.lua -e days=30 -o all/ --parts
        lookahead partitions feed.lua --shard 2/8 | wc -l

      A line is a JSON object: id, source, parameters. The id is the same in all runs
      and on all machines, and can name a file. Nothing of the partitions is fetched,
      only what it takes to know them. The section BEYOND ONE MACHINE of the manual
      has the rest.
      """)

  @Argument(help: "The script.", completion: .scripts)
  var script: String

  @OptionGroup(title: "Parameters") var parameters: ParameterOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var permissions: PermissionOptions
  @OptionGroup(title: "Reports") var log: LogOptions

  @Option(help: "A source to list, of those that the script returns; repeat for more.")
  var source: [String] = []

  @Option(
    help: ArgumentHelp("Only the partitions of one share of so many, as 2/8.", valueName: "i/n"))
  var shard: ShardOption?

  func run() throws {
    var settings = RunSettings(
      output: try .parse([]), state: try .parse([]), requests: requests, limits: try .parse([]),
      permissions: permissions, parameters: parameters, report: try .only(log), sources: source)
    settings.shard = shard?.shard
    settings.lister = PartitionLister()
    throw try RunSession(try ScriptFile(script), settings).run()
  }
}
