import ArgumentParser
import Hosting
import Paging

/// `lookahead get`: pages an API without a script.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Page an API without a script.",
    discussion: """
      EXAMPLES
        lookahead get https://example.com/items
        lookahead get https://example.com/items --items data --next meta.next
        lookahead get https://example.com/items --next page --page-size 100 -j 8
        lookahead get https://example.com/items --as-script > items.lua

      The first finds the items and the next page itself. The URL's host is
      allowed by naming it; pages that lead elsewhere need --allow-net.
      """)

  @Argument(help: "The first page's URL.")
  var url: String

  @Option(help: "Where the items are in an answer, as data.items; . is the answer itself.")
  var items: String?

  @Option(
    help: ArgumentHelp(
      "How the next page is found: a path in the answer, link (the Link header), page or offset (counted).",
      valueName: "path|link|page|offset"))
  var next: String?

  @Option(help: "Where the number of all items is in an answer.")
  var total: String?

  @Option(help: "The member that is an item's id.")
  var id: String?

  @Option(help: ArgumentHelp("Items per page, sent as the size parameter.", valueName: "items"))
  var pageSize: Int?

  @Option(help: "The query parameter for the page, the offset or the cursor.")
  var pageParameter: String?

  @Option(help: "The query parameter for the size.")
  var sizeParameter: String?

  @Option(name: [.customShort("H"), .long], help: "A header, as 'Accept: application/json'.")
  var header: [String] = []

  @Flag(help: "Print the script that this stands for.")
  var asScript = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Keeping up to date") var refresh: RefreshOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var hosts: HostOptions
  @OptionGroup(title: "Reports") var report: ReportOptions

  @Flag(help: "Print the request that would be made first, and send none.")
  var dryRun = false

  @Option(help: "Show the first items (20) as a table instead of writing them.")
  var preview: Int?

  /// Where the first page is: its host is granted, as the command itself names it.
  var host: String { (try? HTTPAddress(url))?.hostAndPort ?? "" }

  func validate() throws {
    try refresh.validate(with: limits)
    do throws(HostFailure) {
      _ = try HTTPAddress(url)
    } catch {
      throw ValidationError(error.message)
    }
    try Border.check(pageSize, "--page-size", Border.pageSizes)
    try Border.check(preview, "--preview", Border.held)
    if let bad = header.first(where: { $0.first == ":" || !$0.contains(":") }) {
      throw ValidationError("--header '\(bad)': expected 'Name: value'")
    }
    if let next, next.split(separator: ".").isEmpty {
      throw ValidationError("--next '\(next)': expected a path, link, page or offset")
    }
  }

  private static func secrets(ofHeader header: String) -> [String] {
    let parts = header.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return [] }
    return SecretMask.secrets(ofHeader: parts[0].trimmed, parts[1].trimmed)
  }

  func run() throws {
    let text = GetScript(self).text
    if asScript { return StandardOutput.write(text) }
    let settings = RunSettings(
      output: output, requests: requests, limits: limits, permissions: try hosts.permissions,
      parameters: try ParameterOptions.parse([]), report: report, refresh: refresh.rule, isDryRun: dryRun,
      preview: preview,
      grantedHosts: [host], secrets: header.flatMap(Self.secrets))
    let exit = try RunSession(ScriptFile(generated: text, path: "items.lua"), settings).run()
    throw exit == .script ? .usage : exit
  }
}
