import Experiments
public import Paging

/// A distribution of non-negative numbers, such as latencies in seconds.
public enum Distribution: Sendable, Hashable {
  /// Always the same number.
  case fixed(Double)
  /// Uniform between the two numbers.
  case uniform(Double, Double)
  /// The logarithm is normal with that standard deviation.
  case lognormal(median: Double, sigma: Double)
  /// Memoryless.
  case exponential(mean: Double)
  /// Measured: interpolated between the sorted numbers, all equally likely.
  case empirical(Sample)

  /// Draws a number from a stream.
  public func draw(_ stream: inout RandomStream) -> Double {
    switch self {
    case .fixed(let value): value
    case .uniform(let low, let high): low + (high - low) * stream.unit()
    case .lognormal(let median, let sigma): stream.lognormal(median: median, sigma: sigma)
    case .exponential(let mean): stream.exponential(mean: mean)
    case .empirical(let sample): sample.quantile(stream.unit())
    }
  }

  /// The mean, by formula.
  public var mean: Double {
    switch self {
    case .fixed(let value): value
    case .uniform(let low, let high): (low + high) / 2
    case .lognormal(let median, let sigma): median * Elementary.exp(sigma * sigma / 2)
    case .exponential(let mean): mean
    case .empirical(let sample): sample.mean
    }
  }

  /// The first invalid number in it, with its name.
  var mistake: InvalidWorld? {
    switch self {
    case .fixed(let value): InvalidWorld.check("latency", value, 0...1e6)
    case .uniform(let low, let high):
      InvalidWorld.check("latency's low end", low, 0...1e6)
        ?? InvalidWorld.check("latency's high end", high, low...1e6)
    case .lognormal(let median, let sigma):
      InvalidWorld.check("latency's median", median, 1e-9...1e6)
        ?? InvalidWorld.check("latency's sigma", sigma, 0...5)
    case .exponential(let mean): InvalidWorld.check("latency's mean", mean, 0...1e6)
    case .empirical: nil
    }
  }

  var summary: String {
    let plain = InvalidWorld.plain
    return switch self {
    case .fixed(let value): "fixed \(plain(value)) s"
    case .uniform(let low, let high): "uniform \(plain(low)) to \(plain(high)) s"
    case .lognormal(let median, let sigma): "lognormal, median \(plain(median)) s, sigma \(plain(sigma))"
    case .exponential(let mean): "exponential, mean \(plain(mean)) s"
    case .empirical(let sample):
      "as \(sample.sorted.count) measured, median \(plain(sample.quantile(0.5))) s"
    }
  }
}
