import Glibc
import JSON

/// Values of columns whose type somebody has chosen: the source that declares it, or whoever made the table.
///
/// What says the same in another form is taken, as `"12"` for an integer; what would lose anything is not.
extension ColumnBuilder {
  /// Appends a value as the column's type has it; false if that can't be done without loss, and nothing was appended.
  func append(fixed value: JSONValue, check: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Bool {
    switch type {
    case .boolean:
      guard let flag = value.exactFlag else { return false }
      append(bit: flag)
    case .integer:
      guard let number = value.exactInteger else { return false }
      append(number)
    case .real:
      guard let number = value.nearReal else { return false }
      append(word: number)
    case .decimal(let precision, let scale):
      guard let digits = value.decimal(precision: precision, scale: scale) else { return false }
      append(digits)
    case .date:
      guard value.kind == .text(isEscaped: false), let day = value.bytes.day else { return false }
      append(word: day)
    case .timestamp(let digits):
      guard let moment = value.anyMoment, moment % FixedValue.unit(digits) == 0 else { return false }
      append(word: moment)
    case .json:
      try check(value.bytes)
      if case .text = value.kind {
        append("\"\(String(decoding: value.bytes, as: UTF8.self))\"")
      } else {
        append(value.bytes)
      }
    case .text, .bytes, .other: try append(text: value, check: check)
    }
    return true
  }
}

private enum FixedValue {
  /// Microseconds that are one of the last of so many digits behind the second.
  static func unit(_ digits: Int) -> Int64 { (digits..<6).reduce(1) { unit, _ in unit * 10 } }
}

extension JSONValue {
  /// A text without escapes, or a number as it is written.
  private var plain: String? {
    switch kind {
    case .text(isEscaped: false), .integer, .real: String(decoding: bytes, as: UTF8.self)
    case .null, .boolean, .array, .object, .text(isEscaped: true): nil
    }
  }

  var exactFlag: Bool? {
    if case .boolean(let flag) = kind { return flag }
    return switch plain {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  var exactInteger: Int64? {
    if kind == .integer { return integer }
    guard let number = plain.flatMap(DecimalNumber.init) else { return nil }
    return number.digits(behindThePoint: 0).flatMap { Int64($0) }
  }

  /// The double that a number stands for, if that keeps all of its digits, as in columns whose types nobody has chosen.
  var nearReal: Double? {
    guard let plain, let number = DecimalNumber(plain), let real = Double(plain), real.isFinite else {
      return nil
    }
    if real.keepsDigits(of: bytes) { return real }
    // An integer that a double is may be written in full, with more digits than others have.
    return number == Int128(exactly: real).flatMap { DecimalNumber("\($0)") } ? real : nil
  }

  /// The number in plain digits, as many behind the point as the column has; nil if it has more, or is greater.
  func decimal(precision: Int, scale: Int) -> String? {
    guard let number = plain.flatMap(DecimalNumber.init) else { return nil }
    guard let digits = number.digits(behindThePoint: scale) else { return nil }
    let whole = digits.drop { $0 == "-" }.prefix { $0 != "." }.drop { $0 == "0" }
    return whole.count <= precision - scale ? digits : nil
  }

  /// Microseconds since 1970 of a moment in any of the forms of ISO 8601 that have a date, hours and minutes; without a zone it is
  /// in UTC.
  var anyMoment: Int64? {
    guard kind == .text(isEscaped: false) else { return nil }
    return MomentReader(bytes).microseconds
  }
}

/// A number in decimal digits, whatever its exponent.
struct DecimalNumber: Equatable {
  private let isNegative: Bool
  /// Without zeros at the ends; empty for zero.
  private let digits: [UInt8]
  /// The value is 0.digits times ten to this power.
  private let power: Int

  /// Nil unless the text is a number as JSON has it; zeros before it make it something else.
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix { $0.digit != nil }
    guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else { return nil }
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { $0.digit != nil }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count + 1)
    }
    var exponent = 0
    if let mark = rest.first {
      guard mark | 0x20 == UInt8(ascii: "e"), let number = Int(Substring(rest.dropFirst())),
        abs(number) < 10_000
      else { return nil }
      exponent = number
    }
    let all = Array(whole) + Array(fraction)
    let zeros = all.prefix { $0 == UInt8(ascii: "0") }.count
    digits = Array(all[zeros...].reversed().drop { $0 == UInt8(ascii: "0") }.reversed())
    power = digits.isEmpty ? 0 : whole.count - zeros + exponent
  }

  /// In plain digits with so many behind the point; nil if it has more, or hundreds.
  func digits(behindThePoint scale: Int) -> String? {
    guard digits.count - power <= scale, power <= 400 else { return nil }
    let whole = power > 0 ? digits.prefix(power) + zeros(power - digits.count) : [UInt8(ascii: "0")]
    var fraction = zeros(min(-power, scale)) + digits.dropFirst(max(power, 0))
    fraction += zeros(scale - fraction.count)
    let sign = isNegative && !digits.isEmpty ? "-" : ""
    let text = String(decoding: whole, as: UTF8.self)
    return sign + (scale == 0 ? text : "\(text).\(String(decoding: fraction, as: UTF8.self))")
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "0"), count: max(count, 0)) }
}

/// A moment as people write it.
private struct MomentReader {
  /// Nil if the text is none.
  private(set) var microseconds: Int64?

  init(_ text: UnsafeRawBufferPointer) {
    guard text.count >= 16, "Tt ".utf8.contains(text[10]),
      let day = UnsafeRawBufferPointer(rebasing: text[..<10]).day
    else { return }
    var rest = text[11...]
    /// Two digits, after a character if one is named.
    func number(after mark: Character? = nil) -> Int? {
      let start = mark == nil ? rest : rest.dropFirst()
      if let mark, rest.first != mark.asciiValue { return nil }
      guard start.count >= 2, let ten = start.first?.digit, let one = start.dropFirst().first?.digit else {
        return nil
      }
      rest = start.dropFirst(2)
      return ten * 10 + one
    }
    guard let hour = number(), let minute = number(after: ":"), hour < 24, minute < 60 else { return }
    let second = rest.first == UInt8(ascii: ":") ? number(after: ":") : 0
    guard let second, second < 60 else { return }
    var fraction: Int64 = 0
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      let digits = rest.dropFirst().prefix { $0.digit != nil }
      // What is beyond a microsecond would be lost.
      guard !digits.isEmpty, digits.dropFirst(6).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return }
      for place in 0..<6 {
        fraction =
          fraction * 10 + Int64(place < digits.count ? digits[digits.startIndex + place].digit ?? 0 : 0)
      }
      rest = rest.dropFirst(digits.count + 1)
    }
    var offset = 0
    if let sign = rest.first, sign | 0x20 == UInt8(ascii: "z") {
      rest = rest.dropFirst()
    } else if let sign = rest.first {
      guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return }
      rest = rest.dropFirst()
      guard let hours = number() else { return }
      let minutes = rest.isEmpty ? 0 : number(after: rest.first == UInt8(ascii: ":") ? ":" : nil)
      guard let minutes, hours < 24, minutes < 60 else { return }
      offset = (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return }
    let seconds = Int64(day) * 86400 + Int64(hour * 3600 + minute * 60 + second - offset)
    microseconds = seconds * 1_000_000 + fraction
  }
}
