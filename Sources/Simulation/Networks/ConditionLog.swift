import JSON

/// A repeating sequence of network conditions: Sabre's format.
public struct ConditionLog: Sendable, Hashable, Capacity {
  /// Conditions for some time.
  public struct Row: Sendable, Hashable {
    /// In seconds.
    public let duration: Double
    /// Kilobits (1000 bits) per second.
    public let kilobits: Double
    /// In seconds.
    public let latency: Double
  }

  /// In time order.
  public let rows: [Row]
  /// The end of each row, and the bytes carried by then.
  private let ends: [Double]
  private let carried: [Double]

  /// Parses an array of `{"duration_ms": …, "bandwidth_kbps": …, "latency_ms": …}`.
  public init(sabre text: String) throws(TraceTextError) {
    guard case .list(let elements) = try JSONTree(trace: text) else {
      throw TraceTextError(line: 1, expected: "an array of rows", found: text)
    }
    var rows: [Row] = []
    for (index, element) in elements.enumerated() {
      let numbers = ["duration_ms", "bandwidth_kbps", "latency_ms"].map { element[$0]?.number }
      guard let duration = numbers[0], 0...1e12 ~= duration, let kilobits = numbers[1], 0...1e12 ~= kilobits,
        let latency = numbers[2], 0...1e9 ~= latency
      else {
        throw TraceTextError(
          line: 0, expected: "duration_ms, bandwidth_kbps and latency_ms from 0 on in row \(index + 1)",
          found: Self.text(numbers))
      }
      rows.append(Row(duration: duration / 1000, kilobits: kilobits, latency: latency / 1000))
    }
    try self.init(rows)
  }

  private init(_ rows: [Row]) throws(TraceTextError) {
    self.rows = rows
    var (time, bytes) = (0.0, 0.0)
    var ends: [Double] = []
    var carried: [Double] = []
    for row in rows {
      time += row.duration
      bytes += row.duration * row.kilobits * 125
      ends.append(time)
      carried.append(bytes)
    }
    guard time > 0, bytes > 0 else {
      throw TraceTextError(
        line: 0, expected: "rows that last and carry something", found: "\(rows.count) rows")
    }
    self.ends = ends
    self.carried = carried
  }

  /// The time after which it repeats, in seconds.
  public var period: Double { ends[ends.count - 1] }

  /// The shortest latency of all rows with a duration, in seconds.
  var leastLatency: Double { rows.filter { $0.duration > 0 }.map(\.latency).min() ?? 0 }

  /// Seconds to the first byte at that time.
  func latency(at time: Double) -> Double { rows[row(at: within(time).rest)].latency }

  func bytes(until time: Double) -> Double {
    let (rounds, rest) = within(time)
    let row = row(at: rest)
    let since = rest - (row == 0 ? 0 : ends[row - 1])
    let before = row == 0 ? 0 : carried[row - 1]
    return rounds * carried[carried.count - 1] + before + since * rows[row].kilobits * 125
  }

  func time(carrying bytes: Double) -> Double {
    let whole = carried[carried.count - 1]
    let rounds = (bytes / whole).rounded(.down)
    let rest = min(bytes - rounds * whole, whole)
    let row = carried.firstIndex(atLeast: rest)
    let before = row == 0 ? 0 : carried[row - 1]
    let start = row == 0 ? 0 : ends[row - 1]
    let needed = rest - before
    return rounds * period + start + (needed > 0 ? needed / (rows[row].kilobits * 125) : 0)
  }

  private func within(_ time: Double) -> (rounds: Double, rest: Double) {
    let rounds = (time / period).rounded(.down)
    return (rounds, max(0, time - rounds * period))
  }

  private func row(at time: Double) -> Int { ends.firstIndex(atLeast: time.nextUp) }

  private static func text(_ numbers: [Double?]) -> String {
    numbers.map { $0.map { "\($0)" } ?? "nothing" }.joined(separator: ", ")
  }
}

extension [Double] {
  /// The first of ascending numbers that is at least the given one; the last if all are less.
  func firstIndex(atLeast number: Double) -> Int {
    var low = 0
    var high = count - 1
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
