extension Workload {
  /// The names that a text may begin with.
  public static let names = WorkloadKind.allCases.map(\.rawValue) + ["balabit"]

  /// A workload as `fling`, `fling:flings=20,platform=android`, `trace:FILE` or `balabit:FILE,itemsPerTick=0.3`,
  /// where the file's contents are given. Throws `InvalidWorld` or `TraceTextError`.
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
      // The header of a mouse session says what it is, whatever the option was called.
      let isSession = isBalabit || contents.hasPrefix("record timestamp")
      options.traces = [
        isSession
          ? try BalabitSession.trace(contents, rule: rule, source: file) : try ViewportTrace(text: contents)
      ]
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
