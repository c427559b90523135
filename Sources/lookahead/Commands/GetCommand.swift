import ArgumentParser
import Hosting
import Paging

/// `lookahead get`: pages an API without a script.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", _superCommandName: Release.name,
    abstract: "Page an API without a script.",
    discussion: """
      EXAMPLES
        lookahead get https://example.com/items
        lookahead get https://example.com/items --items data --next meta.next
        lookahead get https://example.com/items --next cursor:meta.after=after
        lookahead get https://example.com/items --next page --page-size 100 -j 8
        lookahead get https://example.com/a -H 'X-Key: {key}' --secret key=env:KEY
        lookahead get https://example.com/graphql --data @query.json
        lookahead get https://example.com/items --as-script > items.lua

      It looks at the first answer, finds the items and the way to the next page,
      and tries that way before it trusts it. If the API says that there is more
      and no way to it works, it reports what it saw and ends with 65. The host
      of the URL is allowed; links to other hosts need --allow-net.
      """)

  @Argument(help: "The first page's URL.")
  var url: String

  @Option(help: "Where the items are in an answer, as data.items; . is the answer itself.")
  var items: String?

  @Option(
    help: ArgumentHelp(
      "How to find the next page: a path in the answer, link (the Link header), header:NAME, cursor:PATH=PARAMETER, last-id=PARAMETER, page or offset (counted); none takes this page only.",
      valueName: "path|link|page|offset|…|none"))
  var next: String?

  @Option(
    help: ArgumentHelp(
      "Where the number of all items is in an answer; none where that number can't be trusted.",
      valueName: "path|header:name|none"))
  var total: String?

  @Option(help: "The member that is an item's id.")
  var id: String?

  @Option(help: ArgumentHelp("Items per page, sent as the size parameter.", valueName: "items"))
  var pageSize: Int?

  @Option(help: "The query parameter for the page, the offset or the cursor.")
  var pageParameter: String?

  @Option(help: "The query parameter for the size.")
  var sizeParameter: String?

  @Option(
    name: [.customShort("H"), .long],
    help: "A header, as 'Accept: application/json'; {name} in it is the secret of that name.")
  var header: [String] = []

  @Option(help: "The method of the requests; POST where there is data, else GET.")
  var method: String?

  @Option(help: "The body of the requests; in JSON, the key of the next page is put into it.")
  var data: String?

  @Option(
    help: ArgumentHelp(
      "A secret that headers, the data or the URL name in braces; it is a parameter of the printed script.",
      valueName: "name=@file|env:variable|value"))
  var secret: [String] = []

  @Flag(help: "Print the script that does the same.")
  var asScript = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Going on") var state: StateArguments
  @OptionGroup(title: "Keeping up to date") var refresh: RefreshOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Permissions") var hosts: HostOptions
  @OptionGroup(title: "Reports") var report: ReportOptions

  @Flag(help: "Print the request that would come first, and send none.")
  var dryRun = false

  @Option(help: "Show the first items (20) as a table instead of writing them.")
  var preview: Int?

  /// The URL with placeholders for secrets: its host is granted, as the command itself names it.
  private var address: String { secretNames.reduce(url) { $0.replacing("{\($1)}", with: "secret") } }
  private var host: String { (try? HTTPAddress(address))?.hostAndPort ?? "" }
  private var secretNames: [String] { secret.map { String($0.prefix { $0 != "=" }).trimmed } }

  func validate() throws {
    try refresh.validate(with: limits)
    for text in secret { _ = try ParameterOptions.pair(text, option: "--secret") }
    do throws(HostFailure) {
      _ = try HTTPAddress(address)
    } catch {
      throw ValidationError(error.message)
    }
    try Border.check(pageSize, "--page-size", Border.pageSizes)
    try Border.check(preview, "--preview", Border.held)
    if let bad = header.first(where: { $0.first == ":" || !$0.contains(":") }) {
      throw ValidationError("--header '\(bad)': expected 'Name: value'")
    }
    if let bad = secretNames.first(where: { !Self.isName($0) }) {
      throw ValidationError("--secret \(bad): expected a name of letters, digits and _")
    }
    if let method, !Self.isName(method) {
      throw ValidationError("--method '\(method)': expected a method, as POST")
    }
    if let both = output.secretNames.first(where: isAsked) {
      throw ValidationError("--secret \(both): it is that of the output; give what is asked for another name")
    }
    try checkNext()
  }

  /// Whether the request has a secret in it.
  private func isAsked(_ name: String) -> Bool {
    ([url, data ?? ""] + header).contains { $0.contains("{\(name)}") }
  }

  private func checkNext() throws {
    guard let next else { return }
    let parts = next.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isWrong =
      switch String(parts[0]) {
      case "header" where parts.count == 2: parts[1].isEmpty
      case "cursor" where parts.count == 2:
        parts[1].split(separator: "=", omittingEmptySubsequences: false).count < 2
          || parts[1].split(separator: "=", omittingEmptySubsequences: false).contains("")
      default: next == "last-id=" || next == "last-id"
      }
    if isWrong || next.split(separator: ".").isEmpty {
      throw ValidationError(
        "--next '\(next)': expected a path, link, page, offset, header:NAME, cursor:PATH=PARAMETER, last-id=PARAMETER or none"
      )
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return text.unicodeScalars.allSatisfy {
      $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
    }
  }

  func run() throws {
    var given = HeaderSecrets(header, known: secretNames)
    let address = secretNames.contains("login") ? url : given.extractLogin(from: url)
    var settings = RunSettings(
      output: output, state: state, requests: requests, limits: limits, permissions: try hosts.permissions,
      parameters: try ParameterOptions.parse(secret.flatMap { ["--secret", $0] } + given.arguments),
      report: report, refresh: refresh.rule, isDryRun: dryRun, preview: preview, grantedHosts: [host])
    settings.printsToOutput = asScript
    let request = GetProgram.Request(
      url: address, host: host, method: method?.uppercased() ?? (data == nil ? "GET" : "POST"),
      data: try body(),
      headers: given.headers, items: items, next: next, total: total, id: id, pageSize: pageSize,
      pageParameter: pageParameter, sizeParameter: sizeParameter,
      secrets: secretNames.filter { !output.secretNames.contains($0) } + given.secrets.map(\.name),
      limit: settings.limit, maxPages: limits.maxPages,
      isMirror: state.writeMode == .mirror || refresh.refresh != nil, asScript: asScript)
    throw try RunSession(GetProgram(request: request).script, settings).run()
  }

  /// The body that is sent: the text, or that of a file.
  private func body() throws -> String? {
    guard let data, data.hasPrefix("@") else { return data }
    let path = String(data.dropFirst())
    do throws(TextFileError) {
      return try TextFile.read(path)
    } catch {
      standardError("error: --data @\(path): can't read it: \(error.reason)")
      throw RunExit.noInput
    }
  }
}
