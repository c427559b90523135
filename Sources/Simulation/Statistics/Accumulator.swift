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
  public private(set) var count = 0
  /// Zero if empty.
  public private(set) var mean = 0.0
  /// The sum of squared distances from the mean (Welford 1962).
  private var squares = 0.0
  /// Infinite if empty.
  public private(set) var least = Double.infinity
  /// Minus infinity if empty.
  public private(set) var most = -Double.infinity
  private var sketch = QuantileSketch()

  public init() {}

  public mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    count += 1
    let distance = value - mean
    mean += distance / Double(count)
    squares += distance * (value - mean)
    least = min(least, value)
    most = max(most, value)
    sketch.add(value)
  }

  /// Sample variance; zero below two numbers.
  public var variance: Double { count > 1 ? max(0, squares) / Double(count - 1) : 0 }

  /// Half the 95 % interval of the mean by Student's t; zero below two numbers.
  public var halfWidth: Double {
    guard count > 1 else { return 0 }
    return NormalLaw.student(confidence: 0.95, degrees: count - 1) * (variance / Double(count)).squareRoot()
  }

  /// The quantile; exact for the first 2,048 numbers, then within 0.4 %.
  public func quantile(_ part: Double) -> Double {
    min(max(sketch.quantile(part), least), max(most, least))
  }

  /// A summary for a row. The worst is the largest number, or the smallest if more is better.
  public func summary(isBetterWhenLess: Bool = true) -> MetricSummary {
    var summary = MetricSummary()
    guard count > 0 else { return summary }
    summary.mean = mean
    summary.halfWidth = halfWidth
    summary.p50 = quantile(0.5)
    summary.p95 = quantile(isBetterWhenLess ? 0.95 : 0.05)
    summary.worst = isBetterWhenLess ? most : least
    return summary
  }
}
