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
  static func parse(_ text: String) -> Double? {
    var scanner = Scanner(text: Array(text.utf8))
    guard let year = scanner.digits(4), scanner.accept("-"), let month = scanner.digits(2),
      scanner.accept("-"),
      let day = scanner.digits(2), (1...12).contains(month), (1...length(of: month, year)).contains(day)
    else { return nil }
    let days = Double(daysFromCivil(year, month, day)) * 86400
    if scanner.isAtEnd { return days }
    guard scanner.accept("T") || scanner.accept("t") || scanner.accept(" "), let hour = scanner.digits(2),
      scanner.accept(":"), let minute = scanner.digits(2), hour < 25, minute < 60
    else { return nil }
    var seconds = Double(hour * 3600 + minute * 60)
    if scanner.accept(":") {
      guard let whole = scanner.digits(2), whole < 61 else { return nil }
      seconds += Double(whole) + scanner.fraction()
    }
    // 24:00 is the end of the day, and nothing is behind it.
    guard hour < 24 || seconds == 86400, let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    return days + seconds - Double(offset)
  }

  private static func length(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

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

  private static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shiftedYear = Int64(year) - (month <= 2 ? 1 : 0)
    let (era, yearOfEra) = floorDivide(shiftedYear, 400)
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Scanner {
    let text: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func accept(_ character: Character) -> Bool {
      guard position < text.count, text[position] == character.asciiValue else { return false }
      position += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard position + count <= text.count else { return nil }
      let part = text[position..<position + count]
      guard part.allSatisfy({ (48...57).contains($0) }) else { return nil }
      position += count
      return part.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    mutating func fraction() -> Double {
      guard accept(".") || accept(",") else { return 0 }
      var value = 0.0
      var scale = 0.1
      while let digit = digits(1) {
        value += Double(digit) * scale
        scale /= 10
      }
      return value
    }

    /// Seconds east of UTC; nil if it is not a zone.
    mutating func zone() -> Int? {
      if isAtEnd || accept("Z") || accept("z") { return 0 }
      let sign = accept("+") ? 1 : accept("-") ? -1 : 0
      guard sign != 0, let hours = digits(2) else { return nil }
      _ = accept(":")
      guard let minutes = isAtEnd ? 0 : digits(2), hours < 24, minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
