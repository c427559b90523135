/// How simulated readers scroll: a person's habits with numbers, or recordings.
///
/// `path(seed:session:)` depends on nothing else, so every policy meets the same readers.
public struct Workload: Sendable, Hashable {
  /// What reports call it.
  public let name: String
  /// The habit.
  public let kind: WorkloadKind
  /// Items that the source has; nil for an endless one.
  public let items: Int?
  /// How many items are visible.
  public let viewport: Double
  /// Whose flings they are.
  public let platform: Fling.Platform
  /// Every parameter of the kind, by name.
  public let parameters: [String: Double]
  /// What the sessions of a `trace` walk, one after another and from the beginning again.
  public let traces: [ViewportTrace]

  /// What a workload is made of; all that is left out has a usual value.
  public struct Options: Sendable, Hashable {
    /// The kind's name unless given.
    public var name: String?
    /// Endless unless given; a jumper needs an end and has 10,000 items.
    public var items: Int?
    /// In items.
    public var viewport = 7.0
    /// Whose flings they are.
    public var platform = Fling.Platform.ios
    /// Those that differ from the usual.
    public var parameters: [String: Double] = [:]
    /// Needed by the kind `trace`, and by no other.
    public var traces: [ViewportTrace] = []

    public init() {}
  }

  /// Fails for names that the kind does not know and for numbers out of their range.
  public init(_ kind: WorkloadKind, _ options: Options = Options()) throws(InvalidWorld) {
    self.kind = kind
    name = options.name ?? kind.rawValue
    items = options.items ?? options.traces.first?.items ?? (kind == .jumper ? 10_000 : nil)
    viewport = options.viewport
    platform = options.platform
    traces = options.traces
    if let mistake = InvalidWorld.check("viewport", viewport, 0.01...1e6) { throw mistake }
    if let items = options.items, let mistake = InvalidWorld.check("items", Double(items), 1...1e9) {
      throw mistake
    }
    if traces.isEmpty == (kind == .trace) {
      throw InvalidWorld(
        name: "traces of \(kind.rawValue)", value: "\(traces.count)",
        expected: kind == .trace ? "at least one" : "none, as only `trace` walks them")
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

  /// What is wrong with a parameter that the kind does not have.
  static func unknown(_ name: String, to kind: WorkloadKind) -> InvalidWorld {
    let known = kind.parameters.map(\.name) + ["items", "viewport", "platform", "name"]
    return InvalidWorld(
      name: kind.rawValue, value: name, expected: "one of \(known.joined(separator: ", "))")
  }

  /// The way of one reader.
  public func path(seed: UInt64, session: Int) -> ScrollPath {
    var reader = SimulatedReader(workload: self, seed: seed, session: session)
    return reader.walk()
  }

  /// One line with all that differs from the usual.
  public var summary: String {
    var parts = ["\(kind.rawValue): \(kind.summary)"]
    if viewport != 7 { parts.append("viewport \(InvalidWorld.plain(viewport))") }
    if let items { parts.append("\(items) items") }
    if platform != .ios { parts.append("platform \(platform.rawValue)") }
    for parameter in kind.parameters {
      guard let value = parameters[parameter.name], value != parameter.standard else { continue }
      parts.append("\(parameter.name) \(InvalidWorld.plain(value))")
    }
    if !traces.isEmpty { parts.append("traces \(traces.map(\.hash).joined(separator: " "))") }
    return parts.joined(separator: ", ")
  }
}
