/// An invalid number or name in a workload or network.
public struct InvalidWorld: Error, Sendable, Hashable {
  /// The option, such as `fling.reverse`.
  public let name: String
  /// The given value.
  public let value: String
  /// The accepted values.
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

  /// Integers without a fraction.
  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
