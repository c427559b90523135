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
    let x = s * s
    // Two sums that don't wait for one another.
    let y = x * x
    let even = 1 + y * (1 / 5 + y * (1 / 9 + y * (1 / 13 + y * (1 / 17 + y * (1 / 21)))))
    let odd = 1 / 3 + y * (1 / 7 + y * (1 / 11 + y * (1 / 15 + y * (1 / 19 + y * (1 / 23)))))
    return exponent * ln2 + 2 * s * (even + x * odd)
  }

  /// e to the given power; zero or infinite beyond the range of a `Double`.
  public static func exp(_ value: Double) -> Double {
    guard value < 709.7 else { return value.isNaN ? .nan : .infinity }
    guard value > -708 else { return 0 }
    // Rounded by a sum whose last digit is a one.
    let doublings = value / ln2 + 0x1.8p52 - 0x1.8p52
    let x = value - doublings * ln2
    // Two sums that don't wait for one another, of the powers by the factorials.
    let y = x * x
    let even = 1 + y * (1 / 2 + y * (1 / 24 + y * (1 / 720 + y * (1 / 40_320 + y * evenTail(y)))))
    let odd = 1 + y * (1 / 6 + y * (1 / 120 + y * (1 / 5_040 + y * (1 / 362_880 + y * oddTail(y)))))
    // The highest powers of two are reached in two steps.
    let half = Int(doublings) / 2
    return (even + x * odd) * powerOfTwo(half) * powerOfTwo(Int(doublings) - half)
  }

  private static func evenTail(_ y: Double) -> Double {
    1 / 3_628_800 + y * (1 / 479_001_600 + y * (1 / 87_178_291_200))
  }

  private static func oddTail(_ y: Double) -> Double {
    1 / 39_916_800 + y * (1 / 6_227_020_800)
  }

  private static func powerOfTwo(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(exponent + 1023) << 52)
  }

  /// A non-negative base to any power.
  public static func pow(_ base: Double, _ power: Double) -> Double {
    base == 0 ? (power > 0 ? 0 : power == 0 ? 1 : .infinity) : exp(power * log(base))
  }
}
