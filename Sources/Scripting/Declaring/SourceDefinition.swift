import Items
import Lua
public import Paging

/// A source as declared by a script, ready to be read.
struct SourceDefinition {
  let name: String
  /// The sealed definition table.
  let table: LuaReference
  let configuration: FeedConfiguration
  let requests: RequestSettings
  /// The location of the fetch handler, such as `feed.lua:12`.
  let place: String
  let idField: String?
  let isIDDeclared: Bool
  /// Whether several members name an item together.
  let isIDJoined: Bool
  /// How the id is declared, for comparing.
  private let idName: String
  let policyTable: LuaReference?
  /// What `source:with` gave.
  let parameters: LuaReference?
  /// What a new reading does to the output's items.
  let write: WriteMode?
  /// The field whose greatest value is kept as the bookmark; nil where there is none, or a function makes it.
  let bookmark: String?
  /// Whether it brings what is new since a bookmark.
  let isIncremental: Bool
  /// What is said of its items, for an output.
  private(set) var items = ItemDeclaration()
  /// Whether a reading fails that can't go on, instead of starting over.
  let failsWhenExpired: Bool
  /// Whether a reading that was stopped goes on where it was.
  let resumes: Bool

  /// Reads the definition table at `index`, already validated by `lookahead.source`.
  init(
    _ state: LuaState, at index: Int, on stack: LuaStack, overrides: SourceOverrides, seed: UInt64,
    _ terms: SourceTerms
  ) throws(InvalidConfiguration) {
    let table = stack.absolute(index)
    let fields = DefinitionFields(stack: stack, table: table)
    let name = fields.text("name") ?? "items"
    self.name = name
    let keys = KeyKind(rawValue: fields.text("keys") ?? "") ?? .cursor
    let retry = try Self.retryRule(fields, overrides)
    var options = FeedConfiguration.Options()
    options.keys = keys
    options.pageSize = try fields.count("pageSize") ?? options.pageSize
    options.initialPageSize = try fields.count("initialPageSize")
    options.leadingScreens = fields.number("leadingScreens") ?? options.leadingScreens
    options.prefetchDistance = try fields.count("prefetchDistance")
    options.maxInFlight = try fields.count("maxInFlight")
    if keys.isCounted,
      let width = overrides.width ?? (options.maxInFlight == nil ? overrides.usualWidth : nil)
    {
      options.read(width)
    }
    options.merge = fields.text("merge") == "replace" ? .replace : .keep
    options.firstKey = fields.key("firstKey")
    options.releasesPassedItems = true
    options.spilling = overrides.spilling
    options.checksTotal = true
    options.isTransformed = !fields.isAbsent("transform")
    options.retry = retry
    options.notesEveryDecision = overrides.notesEveryDecision
    resumes = fields.boolean("resumes") != false
    // What works once only is often one key, by which the server goes on.
    options.allowsKeyReuse = !resumes
    options.seed = seed
    configuration = try terms.configuration(options, of: name)
    try Self.check(maxItems: fields.count("maxItems"), configuration)
    requests = terms.requests(
      RequestSettings(
        timeout: overrides.timeout ?? fields.duration("timeout") ?? .seconds(30), retry: retry,
        rate: overrides.rate ?? Self.rate(fields)?.shared(by: overrides.rateShares),
        // A rate of the command line is one for each host, whoever asks it.
        source: overrides.rate == nil ? name : nil,
        width: configuration.findsWidth ? .automatic : options.maxInFlight.map { .pages($0) }), of: name)
    place = stack.field("fetch", of: table) { $0.placeOfFunction(at: $0.absolute($1)) }
    idField = fields.text("id") ?? (fields.isAbsent("id") ? "id" : nil)
    isIDDeclared = fields.text("id") != nil
    isIDJoined = fields.text("idFields") != nil
    idName = fields.text("idFields") ?? fields.text("id") ?? (fields.isAbsent("id") ? "id" : "made or none")
    policyTable = fields.reference("policy", in: state)
    parameters = fields.reference("parameters", in: state)
    write = fields.text("write").flatMap(WriteMode.init)
    isIncremental = !fields.isAbsent("bookmark")
    bookmark = fields.text("bookmark")
    failsWhenExpired = fields.text("onExpired") == "fail"
    items.identity =
      isIDJoined
      ? .made : idField.map { .member($0) } ?? (fields.boolean("id") == false ? .none : .made)
    items.types = fields.namedTexts("types").compactMapValues(DeclaredType.init)
    stack.pushCopy(of: table)
    self.table = stack.popReference(in: state)
  }

  /// Its reading for the sink, under the stream's name.
  func reading(stream: String?, partition: String) -> ReadingRequest {
    var request = ReadingRequest(stream: stream, source: name)
    request.partition = partition
    let options = configuration.options
    request.declaration = "\(name), keys \(options.keys.rawValue), id \(idName), pageSize \(options.pageSize)"
    if !resumes { request.declaration += ", resumes false" }
    if isIncremental {
      request.bookmarkField = bookmark ?? ""
      request.declaration += ", bookmark \(bookmark ?? "of a function")"
    }
    (request.items, request.write, request.isIncremental) = (items, write, isIncremental)
    return request
  }

  /// How it is read by people, who turn back: nothing that they passed is let go, and no more is asked for than they look at.
  var browsedOptions: FeedConfiguration.Options {
    var options = configuration.options
    (options.releasesPassedItems, options.checksTotal) = (false, false)
    return options
  }

  /// A run releases what its reader has passed, so a limit of items has no effect here; it must be valid all the same.
  private static func check(
    maxItems: Int?, _ configuration: FeedConfiguration
  ) throws(InvalidConfiguration) {
    guard let maxItems else { return }
    var options = configuration.options
    options.releasesPassedItems = false
    options.maxItems = maxItems
    _ = try FeedConfiguration(options)
  }

  private static func retryRule(
    _ fields: DefinitionFields, _ overrides: SourceOverrides
  ) throws(InvalidConfiguration) -> RetryRule {
    var rule = RetryRule()
    let retries = try fields.count("retries")
    rule.count = overrides.retries ?? retries ?? rule.count
    if overrides.retries ?? retries != nil { rule.patience = nil }
    if let backoff = fields.table("backoff") {
      rule.patience = nil
      rule.base = backoff.duration("base") ?? rule.base
      rule.cap = backoff.duration("cap") ?? rule.cap
      rule.jitter = backoff.text("jitter").flatMap(RetryRule.Jitter.init) ?? rule.jitter
      backoff.close()
    }
    rule.maxWait = overrides.retryMaxWait ?? rule.maxWait
    return rule
  }

  private static func rate(_ fields: DefinitionFields) -> RateLimit? {
    guard let rate = fields.table("rateLimit") else { return nil }
    defer { rate.close() }
    return RateLimit(requests: rate.number("requests") ?? 1, per: rate.number("per") ?? 1)
  }
}

extension FeedConfiguration.Options {
  /// Sets how many pages are in flight.
  mutating func read(_ width: Width) {
    switch width {
    case .pages(let pages): (maxInFlight, findsWidth) = (pages, false)
    case .automatic: (maxInFlight, findsWidth) = (nil, true)
    }
  }
}

extension RateLimit {
  /// A limit in numbers that need not be integers. No period has a part of a request: two and a half per second are two, and half
  /// a request per second is one in two.
  public init(requests: Double, per seconds: Double) {
    self.init(
      requests: Int(max(1, min(requests, Double(Limits.count)).rounded(.down))),
      per: Duration(limitedSeconds: max(1e-6, seconds / min(1, requests))))
  }
}
