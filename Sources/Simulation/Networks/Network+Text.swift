extension Network {
  /// The forms that a text may have.
  public static let forms = [
    "reference", "instant", "fixed:SECONDS", "uniform:LOW,HIGH", "lognormal:MEDIAN,SIGMA", "exponential:MEAN",
    "measured:FILE", "sabre:FILE", "mahimahi:FILE",
  ]

  /// A network as one of the forms, with `,OPTION=VALUE` for `bandwidth` (bytes per second), `bytesPerItem`,
  /// `loss`, `timeout`, `errors`, `rate` (`10/1.5`: requests per seconds), `latency` (seconds, `mahimahi` only)
  /// and `name`. Files' contents are given. Throws `InvalidWorld` or `TraceTextError`.
  public init(_ text: WorldText, contents: String? = nil) throws {
    switch text.name {
    case "reference", "instant":
      _ = try text.numbers([])
      self = text.name == "reference" ? .reference : .instant
    case "measured", "sabre", "mahimahi":
      guard let contents else {
        throw InvalidWorld(name: text.name, value: text.file ?? "", expected: "the contents of that file")
      }
      self = try Self.read(text.name, contents)
    default: self = Network(name: "", latency: .drawn(try Self.distribution(text)))
    }
    name = text.text
    for option in text.options { try set(option, of: text.name) }
    if let mistake { throw mistake }
  }

  private static func distribution(_ text: WorldText) throws(InvalidWorld) -> Distribution {
    switch text.name {
    case "fixed": return .fixed(try text.numbers(["SECONDS"])[0])
    case "uniform":
      let numbers = try text.numbers(["LOW", "HIGH"])
      if numbers[1] < numbers[0] {
        throw InvalidWorld(
          name: "uniform.HIGH", value: InvalidWorld.plain(numbers[1]),
          expected: "at least LOW, which is \(InvalidWorld.plain(numbers[0]))")
      }
      return .uniform(numbers[0], numbers[1])
    case "lognormal":
      let numbers = try text.numbers(["MEDIAN", "SIGMA"])
      return .lognormal(median: numbers[0], sigma: numbers[1])
    case "exponential": return .exponential(mean: try text.numbers(["MEAN"])[0])
    default:
      throw InvalidWorld(
        name: "network", value: text.name, expected: "one of \(forms.joined(separator: ", "))")
    }
  }

  /// What was measured is a log of conditions, or latencies in seconds: a JSON array, or one per line.
  private static func read(_ name: String, _ contents: String) throws -> Network {
    if name == "mahimahi" {
      var network = Network(name: name, latency: .drawn(.fixed(0)))
      network.bandwidth = .slots(try SlotTrace(mahimahi: contents))
      return network
    }
    let isJSON = contents.first { !$0.isWhitespace } == "["
    if name == "measured", !isJSON { return Network(name: name, latency: try latencies(lines: contents)) }
    if name == "measured", case .array(let elements) = try JSONValue.parse(contents),
      elements.isEmpty || elements[0].number != nil
    {
      let numbers = elements.compactMap(\.number)
      guard numbers.count == elements.count else {
        throw TraceTextError(line: 0, expected: "numbers only", found: contents)
      }
      return Network(name: name, latency: .drawn(.empirical(try Sample(numbers))))
    }
    let log = try ConditionLog(sabre: contents)
    var network = Network(name: name, latency: .logged(log))
    network.bandwidth = .logged(log)
    return network
  }

  private static func latencies(lines text: String) throws -> Latency {
    var numbers: [Double] = []
    for line in TraceLines(text).all {
      guard let number = Double(line.text), 0...1e6 ~= number else {
        throw TraceTextError(line: line.number, expected: "seconds from 0 on", found: line.text)
      }
      numbers.append(number)
    }
    return .drawn(.empirical(try Sample(numbers)))
  }

  private mutating func set(_ option: WorldText.Option, of network: String) throws(InvalidWorld) {
    let label = "\(network).\(option.name)"
    if option.name == "name" { return name = option.value }
    if option.name == "rate" { return rateLimit = try Self.rate(option.value, label) }
    let known =
      ["bandwidth", "bytesPerItem", "loss", "timeout", "errors"] + (network == "mahimahi" ? ["latency"] : [])
    guard known.contains(option.name) else {
      let all = (known + ["rate", "name"]).joined(separator: ", ")
      throw InvalidWorld(name: network, value: option.name, expected: "one of \(all)")
    }
    let number = try WorldText.number(option.value, label)
    switch option.name {
    case "bandwidth": bandwidth = .constant(number)
    case "bytesPerItem": bytesPerItem = number
    case "loss": loss = number
    case "timeout": timeout = number
    case "errors": errors = number
    default: latency = .drawn(.fixed(number))
    }
  }

  private static func rate(_ text: String, _ name: String) throws(InvalidWorld) -> RateLimit {
    let sides = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = sides.first, let requests = Int(first), sides.count <= 2,
      let seconds = sides.count < 2 || sides[1] == "s" ? 1 : Double(sides[1])
    else { throw InvalidWorld(name: name, value: text, expected: "REQUESTS/SECONDS, as 10/1.5") }
    return RateLimit(requests: requests, seconds: seconds)
  }
}
