import Paging

extension WorldDescription {
  /// The workload that it describes.
  func workload() throws(ExperimentError) -> Workload {
    try made("workload") { try Workload(try WorldText(text), contents: contents) }
  }

  /// The network that it describes.
  func network() throws(ExperimentError) -> Network {
    let network = try made("network") { try Network(try WorldText(text), contents: contents) }
    for (option, value) in [("loss", network.loss), ("errors", network.errors)] where value > 0.9 {
      throw ExperimentError(
        "network '\(name ?? text)': \(option)",
        expected: "at most 0.9, as a page that never comes has no end",
        got: "\(value)")
    }
    return network
  }

  /// The world, and what of it is concerned where that says more: the kind stands in the text already.
  private func place(of error: InvalidWorld, in what: String) -> String {
    let world = "\(what) '\(name ?? text)'"
    let kind = String(text.prefix { $0 != ":" })
    if [what, kind, "world"].contains(error.name) { return world }
    let part = error.name.hasPrefix(kind + ".") ? String(error.name.dropFirst(kind.count + 1)) : error.name
    return "\(world): \(part)"
  }

  private func made<World>(_ what: String, _ make: () throws -> World) throws(ExperimentError) -> World {
    do {
      return try make()
    } catch let error as InvalidWorld {
      throw ExperimentError(place(of: error, in: what), expected: error.expected, got: error.value)
    } catch let error as TraceTextError {
      throw ExperimentError(
        "\(what) '\(name ?? text)': line \(error.line)", expected: error.expected, got: error.found)
    } catch {
      throw ExperimentError("\(what) '\(name ?? text)'", expected: "a description", got: "\(error)")
    }
  }
}

extension Network {
  /// A latency that 19 of 20 fetches do not exceed: what is known to whoever knows the law, and not the dice.
  var usualLatency: Duration {
    let drawn = (0..<200).map { latency(seed: 0, session: 0, page: $0, attempt: 1) }.sorted()
    return drawn[189]
  }

  /// Whether the bound can be met: a page's latency is all that happens to it, and with several slots it is always the
  /// same, since a machine that delivers in order waits for the slowest.
  func isCertain(slots: Int) -> Bool {
    guard case .drawn(let law) = latency, case .unlimited = bandwidth else { return false }
    if slots > 1, case .fixed = law {} else if slots > 1 { return false }
    return loss == 0 && errors == 0 && rateLimit == nil
  }
}
