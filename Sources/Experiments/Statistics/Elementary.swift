/// Logarithm, exponential and power, implemented so that every machine computes the same bits.
///
/// Relative errors stay below 1e-14 over the range that workloads and networks use.
public enum Elementary {
  private static let ln2 = 0.693147180559945309417232121458

  /// The natural logarithm; minus infinity at zero, NaN below.
  public static func log(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return value == 0 ? -.infinity : value > 0 ? value : .nan }
    var exponent = Double(value.exponent)
    var part = value.significand
    if part > 1.4142135623730951 {
      part /= 2
      exponent += 1
    }
    // log(m) = 2 artanh((m - 1) / (m + 1)), whose series is short as |s| < 0.172.
    let s = (part - 1) / (part + 1)
    let square = s * s
    var sum = 0.0
    for odd in stride(from: 23.0, through: 3, by: -2) { sum = (sum + 1 / odd) * square }
    return exponent * ln2 + 2 * s * (1 + sum)
  }

  /// e to the given power; zero or infinite beyond the range of a `Double`.
  public static func exp(_ value: Double) -> Double {
    guard value < 709.7 else { return value.isNaN ? .nan : .infinity }
    guard value > -708 else { return 0 }
    let doublings = (value / ln2).rounded()
    let rest = value - doublings * ln2
    var sum = 1.0
    for term in stride(from: 14.0, through: 1, by: -1) { sum = 1 + sum * rest / term }
    return Double(sign: .plus, exponent: Int(doublings), significand: sum)
  }

  /// A non-negative base to any power.
  public static func pow(_ base: Double, _ power: Double) -> Double {
    base == 0 ? (power > 0 ? 0 : power == 0 ? 1 : .infinity) : exp(power * log(base))
  }
}
