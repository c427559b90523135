import Experiments
import Paging

extension RandomStream {
  /// A standard normal number, by Marsaglia's polar method.
  mutating func normal() -> Double {
    while true {
      let x = 2 * unit() - 1
      let y = 2 * unit() - 1
      let square = x * x + y * y
      if square > 0, square < 1 { return x * (-2 * Elementary.log(square) / square).squareRoot() }
    }
  }

  /// A lognormal number; `median` must be positive.
  mutating func lognormal(median: Double, sigma: Double) -> Double {
    median * Elementary.exp(sigma * normal())
  }

  /// An exponential number with that mean.
  mutating func exponential(mean: Double) -> Double { -mean * Elementary.log(1 - unit()) }

  /// A geometric count from 1 with that mean.
  mutating func geometric(mean: Double) -> Int {
    guard mean > 1 else { return 1 }
    let steps = Elementary.log(1 - unit()) / Elementary.log(1 - 1 / mean)
    return 1 + Int(min(steps, 1e9))
  }

  /// Whether an event of that probability happens.
  mutating func happens(_ probability: Double) -> Bool { unit() < probability }
}
