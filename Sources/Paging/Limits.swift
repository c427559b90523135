/// Upper bounds for numbers from scripts, servers, files and command lines.
///
/// Small enough that the machine can add and multiply a few of them without overflow. Whatever reads a number from
/// outside checks it against them; arithmetic on others saturates instead of trapping.
public enum Limits {
  /// Items, pages, places, attempts: a billion of anything.
  public static let count = 1_000_000_000
  /// Items of a whole source, as reported by it.
  public static let total = 1_000_000_000_000_000
  /// The first of counted keys, on either side of zero: every integer up to here is exact as a double.
  public static let key: Int64 = 1 << 53
  /// Concurrent fetches of one source.
  public static let inFlight = 10_000
  /// Concurrent fetches of a source of counted keys where nobody has said how many, and nobody finds out.
  public static let usualInFlight = 4
  /// Concurrent requests to one host where their number is found out, over all sources.
  public static let automaticInFlight = 32
  /// Bytes of pages that wait for their turn where the number of pages in flight is found out.
  static let waitingBytes = 16_000_000
  /// About thirty years; longer means forever.
  public static let seconds = 1e9
  /// Range of the wait a scripted policy may request, in seconds: a millisecond to an hour.
  public static let policyWait = 0.001...3600.0
  /// Nesting of policies.
  public static let policyDepth = 32
}

extension FixedWidthInteger {
  /// The sum, saturating.
  func clampedSum(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, saturating.
  func clampedDifference(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product, saturating.
  func clampedProduct(_ other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
