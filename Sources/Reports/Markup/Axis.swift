import Experiments

/// An axis of a figure: a range with round ends, its ticks, and a title with the unit. It may be logarithmic, or broken
/// where it has nothing to show.
struct Axis {
  /// A part without a break.
  private struct Segment {
    let low: Double
    let high: Double
    /// From 0 to 1.
    let start: Double
    let end: Double
    let isLogarithmic: Bool

    func part(_ value: Double) -> Double {
      guard high > low else { return start }
      let part =
        isLogarithmic
        ? Elementary.log(value / low) / Elementary.log(high / low) : (value - low) / (high - low)
      return start + min(1, max(0, part)) * (end - start)
    }
  }

  let title: String
  let ticks: [(value: Double, label: String)]
  private let segments: [Segment]

  var low: Double { segments.first?.low ?? 0 }
  var high: Double { segments.last?.high ?? 1 }

  /// The relative positions of its breaks.
  var breaks: [Double] { zip(segments, segments.dropFirst()).map { ($0.end + $1.start) / 2 } }

  /// The values must fit; starts at zero if requested. Logarithmic if allowed and the values are positive and span more
  /// than a factor of `span`.
  init(_ values: [Double], title: String, fromZero: Bool = true, logarithmicFrom span: Double? = nil) {
    let finite = values.filter(\.isFinite)
    let least = finite.min() ?? 0
    let most = finite.max() ?? 1
    if let span, least > 0, most > least * span {
      self.init(logarithmic: least, most, title: title)
    } else {
      let (from, to) = fromZero ? (min(0, least), max(0, most)) : (least, most)
      self.init(title, [Self.linear(from, to, isFromZero: fromZero, from: 0, to: 1, parts: 5)])
    }
  }

  private init(_ title: String, _ parts: [(segment: Segment, ticks: [(value: Double, label: String)])]) {
    self.title = title
    segments = parts.map(\.segment)
    ticks = parts.flatMap(\.ticks)
  }

  private init(logarithmic least: Double, _ most: Double, title: String, from start: Double = 0) {
    let (low, high) = (Self.rounded(least, up: false), Self.rounded(most, up: true))
    let segment = Segment(low: low, high: max(high, 2 * low), start: start, end: 1, isLogarithmic: true)
    var parts = [(segment: segment, ticks: Self.decades(segment.low, segment.high))]
    if start > 0 {
      parts.insert(
        (Segment(low: 0, high: 0, start: 0, end: 0, isLogarithmic: false), [(0, "0")]), at: 0)
    }
    self.init(title + " (log scale)", parts)
  }

  /// The axis on which the values are told apart best: linear if that will do, else logarithmic, or broken between
  /// two groups. `ends` are those of intervals around the values, which fit as well.
  static func telling(_ values: [Double], ends: [Double] = [], title: String, fromZero: Bool = true) -> Axis {
    // Those that print alike are one.
    let distinct = Set(values.filter { abs($0) < 1e12 }.map { ($0 * 1000).rounded() / 1000 }).sorted()
    let all = values.filter(\.isFinite) + ends.filter(\.isFinite)
    let linear = Axis(all, title: title, fromZero: fromZero)
    guard let least = distinct.first, let most = distinct.last else { return linear }
    // Values that differ by little would look as if they differed by much.
    guard !fromZero || most > 3 * least else { return linear }
    var candidates = [(axis: linear, merit: linear.merit(distinct) + 0.05)]
    if fromZero, let least = distinct.first(where: { $0 > 0 }), distinct[0] >= 0, let most = all.max() {
      let positive = all.filter { $0 > least / 3 }.min() ?? least
      if most > 8 * least {
        let axis = Axis(logarithmic: positive, most, title: title, from: distinct[0] > 0 ? 0 : 0.08)
        candidates.append((axis, axis.merit(distinct) + 0.1))
      }
    }
    if distinct.count > 2, let axis = broken(distinct, ends: ends, title: title) {
      candidates.append((axis, axis.merit(distinct)))
    }
    return candidates.max { $0.merit < $1.merit }?.axis ?? linear
  }

  /// Broken in the widest gap; nil if the groups are not far apart.
  private static func broken(_ values: [Double], ends: [Double], title: String) -> Axis? {
    guard
      let place = values.indices.dropLast().max(by: {
        values[$0 + 1] - values[$0] < values[$1 + 1] - values[$1]
      })
    else { return nil }
    let middle = (values[place] + values[place + 1]) / 2
    let all = (values + ends.filter(\.isFinite)).sorted()
    let (lower, upper) = (all.filter { $0 < middle }, all.filter { $0 >= middle })
    guard let (low, first) = range(lower), let (second, high) = range(upper),
      second - first > 0.2 * (high - low)
    else { return nil }
    let share = min(0.72, max(0.2, Double(place + 1) / Double(values.count)))
    let parts = [
      linear(
        low, first, isFromZero: low >= 0 && low < 0.5 * first, from: 0, to: 0.92 * share, parts: 4 * share),
      linear(second, high, isFromZero: false, from: 0.92 * share + 0.08, to: 1, parts: 4 * (1 - share)),
    ]
    guard parts[0].segment.high < parts[1].segment.low else { return nil }
    return Axis(title, parts)
  }

  /// Wide enough to have ticks.
  private static func range(_ sorted: [Double]) -> (Double, Double)? {
    guard let low = sorted.first, let high = sorted.last else { return nil }
    let margin = max(abs(low), abs(high)) * 0.02
    return high - low > margin ? (low, high) : (low - margin - 1e-6, high + margin + 1e-6)
  }

  /// How well the values are told apart: 1 if they are evenly spaced.
  private func merit(_ sorted: [Double]) -> Double {
    let most = 1 / Double(max(1, sorted.count - 1))
    return zip(sorted, sorted.dropFirst()).reduce(0) { $0 + min(most, part($1.1) - part($1.0)) }
  }

  private static func linear(
    _ from: Double, _ to: Double, isFromZero: Bool, from start: Double, to end: Double, parts: Double
  ) -> (segment: Segment, ticks: [(value: Double, label: String)]) {
    var (from, to) = isFromZero ? (min(0, from), max(0, to)) : (from, to)
    if to <= from { (from, to) = from == 0 ? (0, 1) : from > 0 && isFromZero ? (0, from) : around(from) }
    let step = step(to - from, parts: max(1, parts))
    let first = (from / step + 1e-9).rounded(.down)
    let last = (to / step - 1e-9).rounded(.up)
    let digits = digits(step)
    let ticks = (0...Int(last - first)).map { part in
      let value = (first + Double(part)) * step
      return (value: value, label: ReportNumber.fixed(value, digits).replacingMinus)
    }
    let segment = Segment(
      low: first * step, high: last * step, start: start, end: end, isLogarithmic: false)
    return (segment, ticks)
  }

  private static func around(_ value: Double) -> (Double, Double) {
    let margin = max(1, abs(value) / 10)
    return (value - margin, value + margin)
  }

  /// The relative position of a value: 0 to 1, clamped; in a break, its middle.
  func part(_ value: Double) -> Double {
    guard value.isFinite, let first = segments.first else { return 0 }
    var before = first.start
    for segment in segments {
      if value < segment.low { return segment.start == first.start ? before : (before + segment.start) / 2 }
      if value <= segment.high { return segment.part(value) }
      before = segment.end
    }
    return 1
  }

  /// The round step (1, 2 or 5 times a power of ten) that divides a range into about `parts` parts.
  static func step(_ range: Double, parts: Double) -> Double { rounded(range / parts, up: true) }

  /// Decimals needed to distinguish steps.
  static func digits(_ step: Double) -> Int {
    var (digits, scale) = (0, 1.0)
    while digits < 9, step * scale < 0.999999 {
      digits += 1
      scale *= 10
    }
    return digits
  }

  /// The next 1, 2 or 5 times a power of ten, up or down.
  private static func rounded(_ value: Double, up: Bool) -> Double {
    guard value > 0, value.isFinite else { return 1 }
    var power = 1.0
    while power > value { power /= 10 }
    while power * 10 <= value { power *= 10 }
    let factor = value / power
    let factors = [1.0, 2, 5, 10]
    let fitting =
      up ? factors.first { $0 >= factor * 0.999999 } ?? 10 : factors.last { $0 <= factor * 1.000001 } ?? 1
    return fitting * power
  }

  private static func decades(_ low: Double, _ high: Double) -> [(value: Double, label: String)] {
    var ticks: [(value: Double, label: String)] = []
    let isLong = high / low > 2000
    var power = 1.0
    while power > low { power /= 10 }
    while power * 10 <= low { power *= 10 }
    while power <= high * 1.000001 {
      for factor in isLong ? [1.0] : [1, 2, 5] {
        let value = factor * power
        if value >= low * 0.999999, value <= high * 1.000001 {
          ticks.append((value, ReportNumber.short(value, 9)))
        }
      }
      power *= 10
    }
    return ticks
  }
}

extension String {
  /// With a true minus sign instead of a hyphen.
  var replacingMinus: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
