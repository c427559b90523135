public import Experiments

/// Mean, spread and quantiles of a stream of numbers, in constant memory.
///
/// Equal numbers in equal order give bit-identical results. Non-finite numbers are ignored.
///
/// ```swift
/// var waits = Accumulator()
/// waits.add(0.4)
/// waits.quantile(0.95)
/// ```
public struct Accumulator: Sendable, Equatable {
  private var moments = Moments()
  /// Infinite if empty.
  public private(set) var least = Double.infinity
  /// Minus infinity if empty.
  public private(set) var most = -Double.infinity
  private var sketch = QuantileSketch()

  public init() {}

  public mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    moments.add(value)
    least = min(least, value)
    most = max(most, value)
    sketch.add(value)
  }

  public var count: Int { moments.count }
  /// Zero if empty.
  public var mean: Double { moments.mean }
  /// Sample variance; zero below two numbers.
  public var variance: Double { moments.variance }

  /// The 95 % interval of the mean; both ends are the mean below two numbers.
  public var interval: ClosedRange<Double> { moments.interval() }

  /// Half the width of the interval.
  public var halfWidth: Double { (interval.upperBound - interval.lowerBound) / 2 }

  /// The quantile; exact for the first 2,048 numbers, then within 0.4 %.
  public func quantile(_ part: Double) -> Double {
    min(max(sketch.quantile(part), least), max(most, least))
  }

  /// A summary for a row. The worst is the largest number, or the smallest if more is better.
  public func summary(isBetterWhenLess: Bool = true) -> MetricSummary {
    var summary = MetricSummary()
    guard count > 0 else { return summary }
    summary.mean = mean
    summary.interval = interval
    summary.p50 = quantile(0.5)
    summary.p95 = quantile(isBetterWhenLess ? 0.95 : 0.05)
    summary.worst = isBetterWhenLess ? most : least
    return summary
  }
}
