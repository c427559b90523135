/// The largest numbers that are taken from outside: from scripts, servers, files and command lines.
///
/// They are so small that the machine may add and multiply a few of them, and no result leaves its type. Whoever reads a
/// number from outside checks it against them; whoever computes with one anyway cuts at the end of the type, and never
/// traps.
public enum Limits {
  /// Items, pages, places, attempts: a thousand million of anything.
  public static let count = 1_000_000_000
  /// Items of a whole source, by its own word.
  public static let total = 1_000_000_000_000_000
  /// The first of keys that are counted, on either side of zero: up to here every integer is also a number.
  public static let key: Int64 = 1 << 53
  /// Fetches of one source under way at once.
  public static let inFlight = 10_000
  /// About thirty years: what is longer is for ever.
  public static let seconds = 1e9
  /// Seconds that a script's policy may ask not to be asked for: what is less is a millisecond, and what is more an hour.
  public static let policyWait = 0.001...3600.0
  /// Policies inside each other.
  public static let policyDepth = 32
}

extension FixedWidthInteger {
  /// The sum, or the end of the type where that is nearer.
  func clampedSum(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the type where that is nearer.
  func clampedDifference(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the end of the type where that is nearer.
  func clampedProduct(_ other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
