/// Numbers for display.
public enum Amount {
  /// `41,200`
  public static func count(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var parts: [Substring] = []
    var rest = digits[...]
    while rest.count > 3 {
      parts.append(rest.suffix(3))
      rest = rest.dropLast(3)
    }
    parts.append(rest)
    return (value < 0 ? "-" : "") + parts.reversed().joined(separator: ",")
  }

  /// `20.2 MB`
  public static func bytes(_ value: Int) -> String {
    var amount = Double(value)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB"]
    while amount >= 1000, unit < units.count - 1 {
      amount /= 1000
      unit += 1
    }
    return unit == 0 ? "\(value) B" : "\(decimals(amount, 1)) \(units[unit])"
  }

  /// `0.45 s`, `12 s`, `3 min 20 s`, `2 h 5 min`
  public static func duration(_ seconds: Double) -> String {
    if seconds < 10 { return "\(decimals(seconds, 2)) s" }
    let whole = whole(seconds)
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s") }
    return "\(whole / 3600) h" + (whole % 3600 / 60 == 0 ? "" : " \(whole % 3600 / 60) min")
  }

  /// The same in whole seconds: `4 s`.
  public static func wholeDuration(_ seconds: Double) -> String {
    seconds < 10 ? "\(whole(seconds)) s" : duration(seconds)
  }

  /// A number with `digits` digits after the point.
  public static func decimals(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in 10 * scale }
    let scaled = whole(value * Double(scale))
    let fraction = String(abs(scaled % scale))
    return (scaled < 0 && scaled > -scale ? "-" : "") + "\(scaled / scale)."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// The nearest integer, clamped: numbers may come from a script, a server or a clock.
  public static func whole(_ value: Double) -> Int {
    guard !value.isNaN else { return 0 }
    return Int(max(-1e15, min(1e15, value.rounded())))
  }
}
