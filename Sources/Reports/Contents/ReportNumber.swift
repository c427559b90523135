/// Numbers as printed in reports: at fixed precision, so that equal results are equal bytes.
enum ReportNumber {
  /// A missing number.
  static let none = "–"

  /// With `digits` decimals: `0.380`.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return none }
    let unit = scale(digits)
    let scaled = (value.magnitude * Double(unit)).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let units = Int(scaled)
    let whole = (value < 0 && units > 0 ? "-" : "") + String(units / unit)
    guard digits > 0 else { return whole }
    let fraction = String(units % unit)
    return whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// With at most `digits` decimals and no trailing zeros: `0.38`.
  static func short(_ value: Double, _ digits: Int) -> String {
    var text = fixed(value, digits)
    guard digits > 0, value.isFinite, text.contains("."), !text.contains("e") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// With its sign, and a true minus: `+0.12`, `−0.12`, `0.00`.
  static func signed(_ value: Double, _ digits: Int) -> String {
    let text = fixed(value, digits)
    if text.first == "-" { return "−" + text.dropFirst() }
    return value > 0 && text.contains { $0 >= "1" && $0 <= "9" } ? "+" + text : text
  }

  /// In units of the last digit: 1234 for 1.234 and three digits; zero for NaN.
  static func units(_ value: Double, _ digits: Int) -> Int {
    let scaled = (value * Double(scale(digits))).rounded()
    return abs(scaled) < 9e15 ? Int(scaled) : 0
  }

  private static func scale(_ digits: Int) -> Int { (0..<digits).reduce(1) { unit, _ in unit * 10 } }
}
