import Paging

/// The requests to each host: how many, how they ended, and how long they took.
struct TelemetryHosts: Sendable {
  struct Host: Sendable {
    var requests = 0
    var inFlight = 0
    var answers = 0
    /// Answers of 400 and more.
    var refusals = 0
    /// Requests without an answer.
    var losses = 0
    var bytes = 0
    var latency = 0.0
    var slowest = 0.0
    /// Answers by the least bound that their latency is not above.
    var latencies = [Int](repeating: 0, count: TelemetryHosts.bounds.count + 1)
    var lastStatus = 0
    /// Why it can't be reached; nil while it answers.
    var trouble: String?

    var meanLatency: Double { answers > 0 ? latency / Double(answers) : 0 }

    /// A bound that so large a part of the latencies is not above.
    func quantile(_ part: Double) -> Double {
      let wanted = Int((part * Double(answers)).rounded(.up))
      var seen = 0
      for (bound, count) in zip(TelemetryHosts.bounds, latencies) {
        seen += count
        if seen >= wanted { return min(bound, slowest) }
      }
      return slowest
    }
  }

  /// Seconds, for latencies.
  static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]
  /// More hosts are counted as one.
  private static let most = 200
  private(set) var hosts: [Host] = []
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]

  /// The number of the host of an address.
  mutating func number(ofURL url: String) -> Int { number(of: Self.host(of: url)) }

  mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    if names.count >= Self.most, let number = numbers["…"] { return number }
    let name = names.count >= Self.most ? "…" : name
    numbers[name] = names.count
    names.append(name)
    hosts.append(Host())
    return names.count - 1
  }

  subscript(number: Int) -> Host {
    get { hosts[number] }
    _modify { yield &hosts[number] }
  }

  mutating func answered(_ number: Int, status: Int, bytes: Int, after seconds: Double) {
    hosts[number].inFlight -= 1
    hosts[number].answers += 1
    hosts[number].bytes += bytes
    hosts[number].lastStatus = status
    if status >= 400 { hosts[number].refusals += 1 }
    hosts[number].latency += seconds
    hosts[number].slowest = max(hosts[number].slowest, seconds)
    let bound = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    hosts[number].latencies[bound] += 1
  }

  /// Host and port of an address, without a login.
  private static func host(of url: String) -> String {
    let bytes = url.utf8
    guard let scheme = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
    let start = bytes[scheme...].dropFirst().drop { $0 == UInt8(ascii: "/") }
    let end = start.firstIndex { "/?#".utf8.contains($0) } ?? start.endIndex
    let authority = start[..<end]
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
    return String(host) ?? url
  }
}
