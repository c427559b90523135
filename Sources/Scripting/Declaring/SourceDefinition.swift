import Items
import Lua
public import Paging

/// A source as a script declared it, ready to be read.
struct SourceDefinition {
  let name: String
  /// The sealed definition table.
  let table: LuaReference
  let configuration: FeedConfiguration
  let requests: RequestSettings
  /// Where the fetch handler is, as `feed.lua:12`.
  let place: String
  let idField: String?
  let isIDDeclared: Bool
  let policyTable: LuaReference?

  /// The viewport of a reader that takes everything: as many items as may be in flight.
  var viewportLength: Int { configuration.options.pageSize * configuration.maxInFlight }

  /// Reads the definition table at `index`; the checks of `lookahead.source` have been passed.
  init(
    _ state: LuaState, at index: Int, on stack: LuaStack, overrides: SourceOverrides, seed: UInt64
  ) throws(InvalidConfiguration) {
    let table = stack.absolute(index)
    let fields = DefinitionFields(stack: stack, table: table)
    name = fields.text("name") ?? "items"
    let keys = KeyKind(rawValue: fields.text("keys") ?? "") ?? .cursor
    let retry = Self.retryRule(fields, overrides)
    configuration = try FeedConfiguration { options in
      options.keys = keys
      options.pageSize = fields.count("pageSize") ?? options.pageSize
      options.initialPageSize = fields.count("initialPageSize")
      options.leadingScreens = fields.number("leadingScreens") ?? options.leadingScreens
      options.prefetchDistance = fields.count("prefetchDistance")
      options.maxInFlight =
        keys.isCounted ? overrides.maxInFlight ?? fields.count("maxInFlight") : fields.count("maxInFlight")
      options.merge = fields.text("merge") == "replace" ? .replace : .keep
      options.firstKey = fields.key("firstKey")
      options.releasesPassedItems = true
      options.retry = retry
      options.notesEveryDecision = overrides.notesEveryDecision
      options.seed = seed
    }
    try Self.check(maxItems: fields.count("maxItems"), configuration)
    requests = RequestSettings(
      timeout: overrides.timeout ?? fields.duration("timeout") ?? .seconds(30), retry: retry,
      rate: overrides.rate ?? Self.rate(fields), source: name)
    place = stack.field("fetch", of: table) { $0.placeOfFunction(at: $0.absolute($1)) }
    idField = fields.text("id") ?? (fields.isAbsent("id") ? "id" : nil)
    isIDDeclared = fields.text("id") != nil
    policyTable = fields.reference("policy", in: state)
    stack.pushCopy(of: table)
    self.table = stack.popReference(in: state)
  }

  /// A run lets go of what its reader has passed, so a limit of items has nothing to do here; it must make sense all the same.
  private static func check(
    maxItems: Int?, _ configuration: FeedConfiguration
  ) throws(InvalidConfiguration) {
    var options = configuration.options
    options.releasesPassedItems = false
    options.maxItems = maxItems
    _ = try FeedConfiguration(options)
  }

  private static func retryRule(_ fields: DefinitionFields, _ overrides: SourceOverrides) -> RetryRule {
    var rule = RetryRule()
    rule.count = overrides.retries ?? fields.count("retries") ?? rule.count
    if let backoff = fields.table("backoff") {
      rule.base = backoff.duration("base") ?? rule.base
      rule.cap = backoff.duration("cap") ?? rule.cap
      rule.jitter = backoff.text("jitter").flatMap(RetryRule.Jitter.init) ?? rule.jitter
      backoff.end()
    }
    rule.maxWait = overrides.retryMaxWait ?? rule.maxWait
    return rule
  }

  private static func rate(_ fields: DefinitionFields) -> RateLimit? {
    guard let rate = fields.table("rateLimit") else { return nil }
    defer { rate.end() }
    return RateLimit(requests: rate.number("requests") ?? 1, per: rate.number("per") ?? 1)
  }
}

extension Duration {
  /// Seconds as a script gives them: less than nothing is nothing, and thirty years are for ever.
  init(scriptSeconds seconds: Double) { self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0) }
}

extension RateLimit {
  /// A limit in numbers that need not be whole: half a request per second is one in two.
  public init(requests: Double, per seconds: Double) {
    let whole = max(1, requests.rounded(.down))
    self.init(
      requests: Int(min(whole, 1e9)), per: Duration(scriptSeconds: max(1e-6, seconds * whole / requests)))
  }
}

/// The fields of a table on a stack, read by name.
struct DefinitionFields {
  let stack: LuaStack
  let table: Int

  func text(_ name: String) -> String? { stack.field(name, of: table) { $0.string(at: $1) } }
  func number(_ name: String) -> Double? { stack.field(name, of: table) { $0.number(at: $1) } }
  func count(_ name: String) -> Int? { stack.field(name, of: table) { $0.integer(at: $1).map { Int($0) } } }
  func boolean(_ name: String) -> Bool? { stack.field(name, of: table) { $0.boolean(at: $1) } }
  func isAbsent(_ name: String) -> Bool { stack.field(name, of: table) { $0.isNil(at: $1) } }
  func duration(_ name: String) -> Duration? { number(name).map(Duration.init(scriptSeconds:)) }

  func key(_ name: String) -> PageKey? {
    if let number = stack.field(name, of: table, { $0.integer(at: $1) }) { return .integer(number) }
    return text(name).map { .text($0) }
  }

  /// A nested table, left on the stack until `end`.
  func table(_ name: String) -> DefinitionFields? {
    stack.pushField(name, of: table)
    guard stack.isTable(at: -1) else {
      stack.pop()
      return nil
    }
    return DefinitionFields(stack: stack, table: stack.absolute(-1))
  }

  func end() { stack.pop() }

  func reference(_ name: String, in state: LuaState) -> LuaReference? {
    stack.pushField(name, of: table)
    guard !stack.isNil(at: -1) else {
      stack.pop()
      return nil
    }
    return stack.popReference(in: state)
  }
}
