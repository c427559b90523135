/// Dates in HTTP headers, in the three forms of RFC 9110, 5.6.7.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970; nil if it is not a date.
  static func seconds(_ text: String) -> Double? {
    let words = text.split { " ,-".contains($0) }.map(String.init)
    guard words.count >= 5, let clock = clock(words) else { return nil }
    // `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    let isCLanguage = months.contains(words[1])
    guard let month = months.firstIndex(of: isCLanguage ? words[1] : words[2]),
      let day = Int(isCLanguage ? words[2] : words[1]), 1...31 ~= day,
      let year = Int(isCLanguage ? words[4] : words[3]), 0...9999 ~= year
    else { return nil }
    let full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
    return Double(days(year: full, month: month + 1, day: day) * 86_400 + clock)
  }

  private static func clock(_ words: [String]) -> Int? {
    guard let word = words.first(where: { $0.contains(":") }) else { return nil }
    let parts = word.split(separator: ":").compactMap { Int($0) }
    guard parts.count == 3, 0...23 ~= parts[0], 0...59 ~= parts[1], 0...60 ~= parts[2] else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  /// Days since 1970 in the Gregorian calendar; years begin in March, so that leap days come last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
