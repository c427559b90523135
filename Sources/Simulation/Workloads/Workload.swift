import Paging

/// How simulated readers scroll: a reader model with its parameters, or recordings.
///
/// `path(seed:session:)` depends on nothing else, so every policy meets the same readers.
///
/// ```swift
/// let workload = try Workload(.fling)
/// let path = workload.path(seed: 1, session: 0)
/// ```
public struct Workload: Sendable, Hashable {
  /// Its name in reports.
  public let name: String
  /// The reader model.
  public let kind: WorkloadKind
  /// Items in the source; nil for an endless one.
  public let items: Int?
  /// Number of visible items.
  public let viewport: Double
  /// Whose fling physics is used.
  public let platform: Fling.Platform
  /// Every parameter of the kind, by name.
  public let parameters: [String: Double]
  /// Seconds that a reader waits at a time before it leaves, the median of readers; nil is for ever.
  public let patience: Double?
  /// The spread of its logarithm.
  public let patienceSigma: Double
  /// Whether a fling that meets the edge of what is held dies there; otherwise it goes on after the wait.
  public let stopsAtEdge: Bool
  /// What a `trace` workload repeats.
  public let trace: ViewportTrace?

  /// Options of a workload, with defaults.
  public struct Options: Sendable, Hashable {
    /// By default the kind's name.
    public var name: String?
    /// By default endless; a jumper needs an end and has 10,000 items.
    public var items: Int?
    /// In items.
    public var viewport = 7.0
    /// Whose fling physics is used.
    public var platform = Fling.Platform.ios
    /// Parameters that differ from the defaults.
    public var parameters: [String: Double] = [:]
    /// Seconds that a reader waits at a time before it leaves, the median of readers; nil is for ever.
    public var patience: Double?
    /// The spread of its logarithm.
    public var patienceSigma = 0.0
    /// Whether a fling that meets the edge of what is held dies there. Not for recorded readers.
    public var stopsAtEdge = false
    /// Only for the kind `trace`, which requires it.
    public var trace: ViewportTrace?

    public init() {}
  }

  /// Throws for unknown names and numbers out of range.
  public init(_ kind: WorkloadKind, _ options: Options = Options()) throws(InvalidWorld) {
    self.kind = kind
    name = options.name ?? kind.rawValue
    items = options.items ?? options.trace?.items ?? (kind == .jumper ? 10_000 : nil)
    viewport = options.viewport
    platform = options.platform
    trace = options.trace
    patience = options.patience
    patienceSigma = options.patienceSigma
    stopsAtEdge = options.stopsAtEdge
    if let patience, let mistake = InvalidWorld.check("patience", patience, 0.001...1e6) { throw mistake }
    if let mistake = InvalidWorld.check("patienceSigma", patienceSigma, 0...3) { throw mistake }
    if stopsAtEdge, !kind.parameters.contains(where: { $0.name == "maxSpeed" }) {
      throw InvalidWorld(
        name: "\(kind.rawValue).edge", value: "stops", expected: "resumes, as such a reader does not fling")
    }
    if let mistake = InvalidWorld.check("viewport", viewport, 0.01...1e6) { throw mistake }
    if let items = options.items, let mistake = InvalidWorld.check("items", Double(items), 1...1e9) {
      throw mistake
    }
    if (trace == nil) == (kind == .trace) {
      throw InvalidWorld(
        name: "trace of \(kind.rawValue)", value: trace == nil ? "none" : "one",
        expected: kind == .trace ? "one" : "none, as only `trace` repeats it")
    }
    parameters = try Self.complete(options.parameters, of: kind)
  }

  private static func complete(
    _ given: [String: Double], of kind: WorkloadKind
  ) throws(InvalidWorld) -> [String: Double] {
    var complete: [String: Double] = [:]
    for parameter in kind.parameters {
      let value = given[parameter.name] ?? parameter.standard
      let name = "\(kind.rawValue).\(parameter.name)"
      if let mistake = InvalidWorld.check(name, value, parameter.range) { throw mistake }
      complete[parameter.name] = value
    }
    for name in given.keys.sorted() where complete[name] == nil { throw unknown(name, to: kind) }
    return complete
  }

  /// The error for a parameter that the kind does not have.
  static func unknown(_ name: String, to kind: WorkloadKind) -> InvalidWorld {
    let known =
      kind.parameters.map(\.name) + [
        "items", "viewport", "platform", "patience", "patienceSigma", "edge", "name",
      ]
    return InvalidWorld(
      name: kind.rawValue, value: name, expected: "one of \(known.joined(separator: ", "))")
  }

  /// The path of one reader.
  public func path(seed: UInt64, session: Int) -> ScrollPath {
    var reader = SimulatedReader(workload: self, seed: seed, session: session)
    return reader.walk()
  }

  /// How long a waiting reader is still seen to move; nil is until the wait is over. The list of `browse` measures its speed, and
  /// forgets it after a quarter of a second.
  var restsAfter: Duration? { trace?.reading == nil ? nil : .milliseconds(250) }

  /// How long the reader of a session waits at a time; nil is for ever.
  func patience(seed: UInt64, session: Int) -> Duration? {
    guard let patience else { return nil }
    var stream = RandomStream(seed: seed, "patience", session)
    return Seconds.duration(stream.lognormal(median: patience, sigma: patienceSigma))
  }

  /// Whether every session of it is the same reader's.
  var isRecorded: Bool { trace != nil }

  /// One line with everything that differs from the defaults.
  public var summary: String {
    var parts = ["\(kind.rawValue): \(kind.summary)"]
    if viewport != 7 { parts.append("viewport \(InvalidWorld.plain(viewport))") }
    if let items { parts.append("\(items) items") }
    if platform != .ios { parts.append("platform \(platform.rawValue)") }
    for parameter in kind.parameters {
      guard let value = parameters[parameter.name], value != parameter.standard else { continue }
      parts.append("\(parameter.name) \(InvalidWorld.plain(value))")
    }
    if let patience {
      let spread = patienceSigma > 0 ? ", sigma \(InvalidWorld.plain(patienceSigma))" : ""
      parts.append("leaves after waiting \(InvalidWorld.plain(patience)) s\(spread)")
    }
    if stopsAtEdge { parts.append("flings die at the edge") }
    if let trace { parts.append("trace \(trace.hash)") }
    return parts.joined(separator: ", ")
  }

  /// The accepted names.
  public static let names = WorkloadKind.allCases.map(\.rawValue) + ["balabit"]

  /// A workload such as `fling`, `fling:flings=20,platform=android`, `trace:FILE` or `balabit:FILE,itemsPerTick=0.3`;
  /// `contents` are those of the file. Throws `InvalidWorld` or `TraceTextError`.
  public init(_ text: WorldText, contents: String? = nil) throws {
    let isBalabit = text.name == "balabit"
    guard let kind = isBalabit ? .trace : WorkloadKind(rawValue: text.name) else {
      throw InvalidWorld(
        name: "workload", value: text.name, expected: "one of \(Self.names.joined(separator: ", "))")
    }
    if text.file == nil { _ = try text.numbers([]) }
    var options = Options()
    var rule = BalabitSession.Rule()
    options.name = text.text
    for option in text.options {
      let name = "\(text.name).\(option.name)"
      switch option.name {
      case "name": options.name = option.value
      case "items": options.items = try Self.whole(option.value, name)
      case "viewport":
        options.viewport = try WorldText.number(option.value, name)
        if isBalabit { rule.viewport = try Self.whole(option.value, name) }
      case "platform":
        guard let platform = Fling.Platform(rawValue: option.value) else {
          throw InvalidWorld(name: name, value: option.value, expected: "ios or android")
        }
        options.platform = platform
      case "patience": options.patience = try WorldText.number(option.value, name)
      case "patienceSigma": options.patienceSigma = try WorldText.number(option.value, name)
      case "edge":
        guard ["stops", "resumes"].contains(option.value) else {
          throw InvalidWorld(name: name, value: option.value, expected: "stops or resumes")
        }
        options.stopsAtEdge = option.value == "stops"
      case "itemsPerTick" where isBalabit: rule.itemsPerTick = try WorldText.number(option.value, name)
      default:
        guard kind.parameters.contains(where: { $0.name == option.name }) else {
          throw Self.unknown(option.name, to: kind)
        }
        options.parameters[option.name] = try WorldText.number(option.value, name)
      }
    }
    if let file = text.file {
      guard let contents else {
        throw InvalidWorld(name: text.name, value: file, expected: "the contents of that file")
      }
      // The header identifies a mouse session, whatever the option was called.
      let isSession = isBalabit || contents.hasPrefix("record timestamp")
      options.trace =
        isSession
        ? try BalabitSession.trace(contents, rule: rule, source: file) : try ViewportTrace(text: contents)
    }
    try self.init(kind, options)
  }

  private static func whole(_ text: String, _ name: String) throws(InvalidWorld) -> Int {
    guard let number = Int(text), 1...1_000_000_000 ~= number else {
      throw InvalidWorld(name: name, value: text, expected: "a whole number from 1 to 1000000000")
    }
    return number
  }
}
