/// Parses mouse sessions of the Balabit Mouse Dynamics Challenge: each tick of the wheel scrolls the list.
public struct BalabitSession: Sendable, Hashable {
  /// How ticks become positions.
  public struct Rule: Sendable, Hashable {
    /// Items per tick, possibly fractional.
    public var itemsPerTick = 1.0
    /// Visible items.
    public var viewport = 7
    /// Longer pauses are cut to this many seconds: the user was away.
    public var longestPause = 60.0

    public init() {}
  }

  private static let header = "record timestamp,client timestamp,button,state,x,y"

  private struct Tick {
    let seconds: Double
    let direction: Double
  }

  /// The session as a trace, by the client's clock; the list starts at the top and stays within its bounds.
  public static func trace(
    _ text: String, rule: Rule = Rule(), source: String = "balabit"
  ) throws(TraceTextError) -> ViewportTrace {
    guard 0.000001...1e6 ~= rule.itemsPerTick, 1...1_000_000 ~= rule.viewport, rule.longestPause > 0 else {
      throw TraceTextError(line: 0, expected: "a rule with numbers above 0", found: "\(rule)")
    }
    let (ticks, first) = try ticks(text)
    var points = [ViewportTrace.Point(milliseconds: 0, first: 0, last: rule.viewport - 1)]
    var (time, place, before) = (0.0, 0.0, first)
    for tick in ticks {
      time += max(0, min(tick.seconds - before, rule.longestPause))
      before = tick.seconds
      place = max(0, min(place + tick.direction * rule.itemsPerTick, 1e8))
      let item = Int(place.rounded(.down))
      points.append(
        ViewportTrace.Point(
          milliseconds: (time * 1000).rounded(), first: item, last: item + rule.viewport - 1))
    }
    return try ViewportTrace(points: points, viewport: Double(rule.viewport), source: source)
  }

  /// The ticks by the client's clock, and when the session began.
  private static func ticks(_ text: String) throws(TraceTextError) -> ([Tick], Double) {
    let lines = TraceLines(text)
    guard let head = lines.first, head.text == header else {
      throw TraceTextError(line: lines.first?.number ?? 0, expected: header, found: lines.first?.text ?? "")
    }
    var ticks: [(order: Int, tick: Tick)] = []
    var first: Double?
    for line in lines.rest {
      let cells = line.text.split(separator: ",", omittingEmptySubsequences: false)
      guard cells.count == 6, let seconds = Double(cells[1]), abs(seconds) <= 1e9 else {
        throw TraceTextError(line: line.number, expected: "\(header) with a number as time", found: line.text)
      }
      first = min(first ?? seconds, seconds)
      guard cells[2] == "Scroll" else { continue }
      guard let direction = ["Down": 1.0, "Up": -1.0][String(cells[3])] else {
        throw TraceTextError(line: line.number, expected: "Down or Up", found: cells[3])
      }
      ticks.append((line.number, Tick(seconds: seconds, direction: direction)))
    }
    ticks.sort { ($0.tick.seconds, $0.order) < ($1.tick.seconds, $1.order) }
    return (ticks.map(\.tick), first ?? 0)
  }
}
