/// A decimal number as written: digits, and the position of the point.
struct Decimal {
  /// All digits, without the point.
  let digits: Int
  /// Digits after the point.
  let places: Int

  /// Nil unless the text is digits with an optional sign and point, at most 9 before and 6 after the point.
  init?(_ text: Substring) {
    let isNegative = text.first == "-"
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count) else { return nil }
    for (part, most) in zip(parts, [9, 6])
    where !(1...most).contains(part.utf8.count) || !part.utf8.allSatisfy({ (48...57).contains($0) }) {
      return nil
    }
    guard let number = Int(parts.joined()) else { return nil }
    digits = isNegative ? -number : number
    places = parts.count == 2 ? parts[1].utf8.count : 0
  }

  var value: Double { Double(digits) / Decimal.power(places) }

  /// The digits with `places` after the point; no fewer than it has.
  func digits(places wanted: Int) -> Int { digits * Int(Decimal.power(wanted - places)) }

  /// A power of ten, from 0 to 22, exactly.
  static func power(_ places: Int) -> Double { (0..<places).reduce(1.0) { power, _ in power * 10 } }
}

/// Evenly spaced values, each the nearest to its exact decimal.
struct DecimalSteps {
  private let low: Int
  private let step: Int
  private let places: Int
  let count: Int

  /// From the low end in steps, as far as they fit.
  init(from low: Decimal, to high: Decimal, step: Decimal) {
    places = max(low.places, high.places, step.places)
    self.low = low.digits(places: places)
    self.step = step.digits(places: places)
    count = (high.digits(places: places) - self.low) / self.step + 1
  }

  /// In 1, 2, 4, 5 or 10 equal parts, whose ends have at most two more digits.
  init(from low: Decimal, to high: Decimal, parts: Int) {
    places = max(low.places, high.places) + 2
    self.low = low.digits(places: places)
    step = (high.digits(places: places) - self.low) / parts
    count = parts + 1
  }

  var values: [Double] { (0..<count).map { Double(low + $0 * step) / Decimal.power(places) } }
}
