import Experiments

/// An axis of a figure: a range with round ends, its ticks, and a title with the unit.
struct Axis {
  let title: String
  let low: Double
  let high: Double
  let isLogarithmic: Bool
  let ticks: [(value: Double, label: String)]

  /// The values must fit; starts at zero if requested. Logarithmic if allowed and the values are positive and span more
  /// than a factor of `span`.
  init(_ values: [Double], title: String, fromZero: Bool = true, logarithmicFrom span: Double? = nil) {
    let finite = values.filter(\.isFinite)
    let least = finite.min() ?? 0
    let most = finite.max() ?? 1
    if let span, least > 0, most > least * span {
      self.title = title + " (log scale)"
      (low, high) = (Self.rounded(least, up: false), Self.rounded(most, up: true))
      isLogarithmic = true
      ticks = Self.decades(low, high)
    } else {
      self.title = title
      isLogarithmic = false
      var (from, to) = fromZero ? (min(0, least), max(0, most)) : (least, most)
      if to <= from { (from, to) = from == 0 ? (0, 1) : from > 0 && fromZero ? (0, from) : Self.around(from) }
      let step = Self.step(to - from, parts: 5)
      let first = (from / step + 1e-9).rounded(.down)
      let last = (to / step - 1e-9).rounded(.up)
      (low, high) = (first * step, last * step)
      let digits = Self.digits(step)
      ticks = (0...Int(last - first)).map { part in
        let value = (first + Double(part)) * step
        return (value, ReportNumber.fixed(value, digits).replacingMinus)
      }
    }
  }

  private static func around(_ value: Double) -> (Double, Double) {
    let margin = max(1, abs(value) / 10)
    return (value - margin, value + margin)
  }

  /// The relative position of a value: 0 to 1, clamped.
  func part(_ value: Double) -> Double {
    guard value.isFinite else { return 0 }
    let part =
      isLogarithmic
      ? Elementary.log(max(value, low) / low) / Elementary.log(high / low) : (value - low) / (high - low)
    return min(1, max(0, part))
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
