/// A time that is written as a text (ISO 8601, RFC 3339), to whatever fraction of a second.
///
/// ```swift
/// TimeText("2026-10-25T02:30:00+02:00")! < TimeText("2026-10-25T02:10:00+01:00")!  // true
/// ```
public struct TimeText: Sendable, Equatable, Comparable {
  /// Whole seconds since 1970, of UTC where no zone is written.
  public let seconds: Int64
  /// Digits behind the point, without zeros at their end.
  private let fraction: [UInt8]

  /// Nil if the text is not a time. A date alone is its midnight.
  public init?(_ text: String) {
    var scanner = Scanner(text: Array(text.utf8))
    guard let year = scanner.year(), scanner.accept("-"), let month = scanner.digits(2),
      scanner.accept("-"), let day = scanner.digits(2), 1...12 ~= month,
      1...TimeText.length(of: month, year) ~= day
    else { return nil }
    let days = TimeText.days(year, month, day) * 86400
    if scanner.isAtEnd {
      (seconds, fraction) = (days, [])
      return
    }
    guard scanner.accept("T") || scanner.accept("t") || scanner.accept(" "), let hour = scanner.digits(2),
      scanner.accept(":"), let minute = scanner.digits(2), hour < 25, minute < 60
    else { return nil }
    var time = hour * 3600 + minute * 60
    var fraction: [UInt8] = []
    if scanner.accept(":") {
      guard let whole = scanner.digits(2), whole < 61 else { return nil }
      time += whole
      fraction = scanner.fraction()
    }
    // 24:00 is the end of the day, and nothing is behind it.
    guard hour < 24 || time == 86400 && fraction.isEmpty, let offset = scanner.zone(), scanner.isAtEnd else {
      return nil
    }
    (seconds, self.fraction) = (days + Int64(time - offset), fraction)
  }

  /// Seconds since 1970, as exactly as a double has them.
  public var value: Double {
    fraction.isEmpty
      ? Double(seconds) : Double(seconds) + (Double("0." + String(decoding: fraction, as: UTF8.self)) ?? 0)
  }

  public static func < (left: TimeText, right: TimeText) -> Bool {
    left.seconds == right.seconds
      ? left.fraction.lexicographicallyPrecedes(right.fraction) : left.seconds < right.seconds
  }

  private static func length(of month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days since 1970 (Howard Hinnant's days_from_civil).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shiftedYear = year - (month <= 2 ? 1 : 0)
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return Int64(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
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
      guard part.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      position += count
      return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Four digits, or a sign and up to nine of them (ISO 8601, expanded).
    mutating func year() -> Int? {
      let sign = accept("+") ? 1 : accept("-") ? -1 : 0
      guard sign != 0 else { return digits(4) }
      let count = text[position...].prefix { 0x30...0x39 ~= $0 }.count
      return 4...9 ~= count ? digits(count).map { sign * $0 } : nil
    }

    mutating func fraction() -> [UInt8] {
      guard accept(".") || accept(",") else { return [] }
      let digits = text[position...].prefix { 0x30...0x39 ~= $0 }
      position += digits.count
      return Array(digits.reversed().drop { $0 == 0x30 }.reversed())
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
