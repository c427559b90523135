extension Duration {
  /// Seconds as a decimal number that loses nothing, as `0.0204`.
  var decimalSeconds: String {
    let (seconds, attoseconds) = components
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    let digits = String(attoseconds.magnitude)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    return "\(sign)\(seconds.magnitude)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// Reads a number of seconds: exactly, or rounded where it is written with an exponent. Nil when it is none that fits.
  init?(decimalSeconds text: String) {
    guard !text.contains(where: { "eE".contains($0) }) else {
      guard let seconds = Double(text), abs(seconds) < 1e15 else { return nil }
      self = .seconds(seconds)
      return
    }
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1].prefix(18) : ""
    guard let first = parts.first, let seconds = Int64(first),
      let attoseconds = Int64(fraction + String(repeating: "0", count: 18 - fraction.count))
    else { return nil }
    self.init(
      secondsComponent: isNegative ? -seconds : seconds,
      attosecondsComponent: isNegative ? -attoseconds : attoseconds)
  }
}
