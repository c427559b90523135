import Items

/// Times as text, in the proleptic Gregorian calendar and UTC (ISO 8601, RFC 3339).
public enum Timestamp {
  /// `2026-11-21T09:10:00Z`, with milliseconds if there are any; never later than the time, so that what is asked for since then is
  /// not less. Nil outside of the years 0 to 9999, which have no other form.
  static func iso(_ seconds: Double) -> String? {
    guard seconds >= -62_167_219_200, let milliseconds = milliseconds(seconds) else { return nil }
    return text(milliseconds, withMilliseconds: milliseconds % 1000 != 0)
  }

  /// The time of a log line, in seconds since 1970: always with milliseconds, `2026-11-21T09:10:00.000Z`.
  public static func ofLog(_ seconds: Double) -> String {
    text(milliseconds(seconds) ?? 0, withMilliseconds: true)
  }

  private static func milliseconds(_ seconds: Double) -> Int64? {
    guard seconds.isFinite, abs(seconds) < 253_402_300_800 else { return nil }
    // What is a number of milliseconds to within what is held of a time is that number.
    let milliseconds = seconds * 1000
    return Int64((milliseconds + 1000 * seconds.ulp + milliseconds.ulp).rounded(.down))
  }

  private static func text(_ milliseconds: Int64, withMilliseconds: Bool) -> String {
    let (day, time) = floorDivide(milliseconds, 86_400_000)
    let (year, month, dayOfMonth) = civil(day)
    let text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))T"
    let clock = "\(pad(time / 3_600_000, 2)):\(pad(time / 60_000 % 60, 2)):\(pad(time / 1000 % 60, 2))"
    return text + clock + (withMilliseconds ? ".\(pad(time % 1000, 3))Z" : "Z")
  }

  /// Seconds since 1970; nil if it is not a time. A time without a zone is UTC; a date alone is its midnight.
  static func parse(_ text: String) -> Double? { TimeText(text)?.value }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let remainder = (value % divisor + divisor) % divisor
    return ((value - remainder) / divisor, remainder)
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let text = String(abs(value))
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Year, month and day of a day since 1970 (Howard Hinnant's civil_from_days).
  private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
    let (era, dayOfEra) = floorDivide(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}
