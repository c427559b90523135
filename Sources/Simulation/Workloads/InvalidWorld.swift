/// A number or name of a workload or network that makes no sense.
public struct InvalidWorld: Error, Sendable, Hashable {
  /// What is concerned, as `fling.reverse`.
  public let name: String
  /// What it was given.
  public let value: String
  /// What it takes.
  public let expected: String

  public init(name: String, value: String, expected: String) {
    self.name = name
    self.value = value
    self.expected = expected
  }

  static func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) -> InvalidWorld? {
    if range.contains(value) { return nil }
    return InvalidWorld(name: name, value: plain(value), expected: expectation(range))
  }

  static func expectation(_ range: ClosedRange<Double>) -> String {
    "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
  }

  /// Whole numbers without their fraction.
  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
