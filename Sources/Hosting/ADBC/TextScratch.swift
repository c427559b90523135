/// A short text that is written over again for each value: dates, times, spans of time and decimals, as ISO 8601 and people have
/// them.
final class TextScratch {
  private var start = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
  private var capacity = 64
  private var count = 0

  deinit { start.deallocate() }

  /// What was written since it was cleared; valid until it is written again.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Begins anew.
  func clear() { count = 0 }

  func append(_ text: String) { for byte in text.utf8 { append(byte) } }

  @inline(__always)
  private func append(_ byte: UInt8) {
    if count == capacity { grow() }
    start[count] = byte
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: start, count: count)
    start.deallocate()
    (start, capacity) = (larger, capacity * 2)
  }

  /// A number, with zeros in front up to a width.
  @inline(__always)
  private func append(_ number: UInt64, width: Int) {
    var (rest, digits, power) = (number, 1, UInt64(1))
    while rest >= 10 {
      (rest, digits) = (rest / 10, digits + 1)
      power *= 10
    }
    for _ in 0..<max(0, width - digits) { append(UInt8(ascii: "0")) }
    rest = number
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / power))
      rest %= power
      power /= 10
    }
  }
}

/// Dates and times.
extension TextScratch {
  /// A date, by its days since 1970; years with more than four digits have a sign.
  ///
  /// The largest number of a column's kind, `limit`, stands for the end of time, as DuckDB has it, and its opposite for the
  /// beginning.
  func date(_ days: Int64, limit: Int64 = .max) {
    if days == limit { return append("infinity") }
    if days == -limit { return append("-infinity") }
    // Years begin in March here, so that the day that is not always there is their last; eras have 400 years.
    let (era, day) = (days &+ 719_468).floored(by: 146_097)
    let yearOfEra = (day - day / 1460 + day / 36524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    if !(0...9999).contains(year) { append(UInt8(ascii: year < 0 ? "-" : "+")) }
    append(year.magnitude, width: (0...9999).contains(year) ? 4 : 6)
    append(UInt8(ascii: "-"))
    append(UInt64(month), width: 2)
    append(UInt8(ascii: "-"))
    append(UInt64(dayOfYear - (153 * shifted + 2) / 5 + 1), width: 2)
  }

  /// A time of the day, by its parts of a second.
  func time(_ parts: Int64, perSecond: Int64) {
    let (seconds, fraction) = parts.floored(by: perSecond)
    append(UInt64(bitPattern: seconds / 3600), width: 2)
    append(UInt8(ascii: ":"))
    append(UInt64(bitPattern: seconds / 60 % 60), width: 2)
    append(UInt8(ascii: ":"))
    append(UInt64(bitPattern: seconds % 60), width: 2)
    appendFraction(UInt64(fraction), perSecond)
  }

  /// A date and a time, by its parts of a second since 1970; `Z` where that is in UTC.
  func timestamp(_ parts: Int64, perSecond: Int64, isUTC: Bool) {
    if parts == .max { return append("infinity") }
    if parts == -.max { return append("-infinity") }
    let (days, rest) = parts.floored(by: 86_400 * perSecond)
    timestamp((days, rest), perSecond, isUTC)
  }

  private func timestamp(_ parts: (days: Int64, rest: Int64), _ perSecond: Int64, _ isUTC: Bool) {
    date(parts.days)
    append(UInt8(ascii: "T"))
    time(parts.rest, perSecond: perSecond)
    if isUTC { append(UInt8(ascii: "Z")) }
  }

  /// A span of time, as `P1M2DT3.5S`; each part has a sign of its own.
  func span(months: Int64 = 0, days: Int64 = 0, parts: Int64 = 0, perSecond: Int64 = 1) {
    append(UInt8(ascii: "P"))
    append(signed: months / 12, "Y")
    append(signed: months % 12, "M")
    append(signed: days, "D")
    let (seconds, fraction) = parts.magnitude.quotientAndRemainder(dividingBy: UInt64(perSecond))
    guard parts != 0 else {
      if count == 1 { append("T0S") }
      return
    }
    append(UInt8(ascii: "T"))
    if parts < 0 { append(UInt8(ascii: "-")) }
    append(seconds, width: 1)
    appendFraction(fraction, perSecond)
    append(UInt8(ascii: "S"))
  }

  private func append(signed number: Int64, _ unit: Unicode.Scalar) {
    guard number != 0 else { return }
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude, width: 1)
    append(UInt8(ascii: unit))
  }

  /// Three, six or nine digits, without zeros at the end; none for none.
  private func appendFraction(_ fraction: UInt64, _ perSecond: Int64) {
    guard fraction != 0 else { return }
    var (rest, width) = (fraction, perSecond == 1000 ? 3 : perSecond == 1_000_000 ? 6 : 9)
    while rest % 10 == 0 { (rest, width) = (rest / 10, width - 1) }
    append(UInt8(ascii: "."))
    append(rest, width: width)
  }
}

/// What PostgreSQL's driver makes of times: it adds the days between 2000, where PostgreSQL begins, and 1970, also to the largest
/// and the smallest number, which are infinite times, and wraps around.
extension TextScratch {
  func timestamp(postgresql microseconds: Int64, isUTC: Bool) {
    let shift: Int64 = 946_684_800_000_000
    switch microseconds {
    case Int64.max &+ shift, Int64.max: append("infinity")
    case Int64.min &+ shift, Int64.min: append("-infinity")
    default:
      // Times after the year 294246 wrap around too; those since 2000 never do.
      let (days, rest) = (microseconds &- shift).floored(by: 86_400_000_000)
      timestamp((days + 10_957, rest), 1_000_000, isUTC)
    }
  }

  func date(postgresql days: Int32) {
    let shift: Int32 = 10_957
    switch days {
    case Int32.max &+ shift, Int32.max: append("infinity")
    case Int32.min &+ shift, Int32.min: append("-infinity")
    default: date(Int64(days))
    }
  }
}

/// Numbers of other sizes than a processor has.
extension TextScratch {
  /// An integer of many bytes, lowest first, divided by a power of ten.
  func integer(_ bytes: UnsafeRawBufferPointer, isSigned: Bool = true, scale: Int = 0) {
    var limbs = stride(from: 0, to: bytes.count, by: 4).map {
      bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
    }
    let isNegative = isSigned && limbs.last.map { $0 >> 31 == 1 } ?? false
    if isNegative {
      var carry: UInt32 = 1
      for index in limbs.indices {
        let (sum, overflow) = (~limbs[index]).addingReportingOverflow(carry)
        (limbs[index], carry) = (sum, overflow ? 1 : 0)
      }
    }
    var digits: [UInt8] = []
    while limbs.contains(where: { $0 != 0 }) {
      var rest: UInt64 = 0
      for index in limbs.indices.reversed() {
        let part = rest << 32 | UInt64(limbs[index])
        (limbs[index], rest) = (UInt32(part / 1_000_000_000), part % 1_000_000_000)
      }
      for _ in 0..<9 {
        digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if isNegative { append(UInt8(ascii: "-")) }
    while digits.count <= max(0, scale) { digits.append(UInt8(ascii: "0")) }
    for (index, digit) in digits.enumerated().reversed() {
      append(digit)
      if index == scale, scale > 0 { append(UInt8(ascii: ".")) }
    }
    for _ in 0..<max(0, -scale) where digits != [UInt8(ascii: "0")] { append(UInt8(ascii: "0")) }
  }

  /// The text of a UUID.
  func uuid(_ bytes: UnsafeRawBufferPointer) {
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { append(UInt8(ascii: "-")) }
      for half in [byte >> 4, byte & 15] {
        append(half + (half < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
      }
    }
  }
}

extension Int64 {
  /// Divided such that the remainder is never negative.
  @inline(__always)
  func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
