import CADBC
import JSON
import Paging

/// The type of a column in a database that has types. A column begins with the type of its first value, and widens as others
/// come: from integers to doubles where that changes none, and from all to text.
enum ColumnType: Equatable {
  case boolean
  /// 64 bits.
  case integer
  /// 64 bits.
  case real
  /// A number with so many digits, and so many of them behind the point; no value begins with this type.
  case decimal(precision: Int, scale: Int)
  /// A day, as `2026-11-25`.
  case date
  /// A moment in UTC with so many digits behind the second, always written alike, as `2026-11-25T13:30:00.000Z`.
  case timestamp(digits: Int)
  /// Arrays and objects.
  case json
  case text
  /// Bytes as they are; no value of an item has this type.
  case bytes
  /// One that somebody else has chosen, by its name in SQL: values go there as texts.
  case other(String)

  /// The narrowest type for a value; nil for null, which every column holds.
  init?(of value: JSONValue) {
    switch value.kind {
    case .null: return nil
    case .boolean: self = .boolean
    case .integer: self = value.integer == nil ? .text : .integer
    case .real: self = value.exactReal == nil ? .text : .real
    case .array, .object: self = .json
    case .text(isEscaped: true): self = .text
    case .text(isEscaped: false):
      if value.bytes.day != nil {
        self = .date
      } else if let moment = value.bytes.moment {
        self = .timestamp(digits: moment.digits)
      } else {
        self = .text
      }
    }
  }

  /// The type of a column that has values of this type and gets one of another, as far as doubles hold the integers that are
  /// there.
  func widened(for value: JSONValue) -> ColumnType {
    let other = ColumnType(of: value)
    switch (self, other) {
    case (_, nil): return self
    case (.integer, .real): return .real
    case (.real, .integer): return value.integer.map(\.isSmall) == true ? .real : .text
    case (.other, _), (.decimal, _): return self
    case (_, let other?): return self == other ? self : .text
    }
  }

  /// What state calls it.
  var name: String {
    switch self {
    case .boolean: "boolean"
    case .integer: "integer"
    case .real: "real"
    case .decimal(let precision, let scale): "decimal(\(precision),\(scale))"
    case .date: "date"
    case .timestamp(let digits): "timestamp\(digits)"
    case .json: "json"
    case .text: "text"
    case .bytes: "bytes"
    case .other(let name): "sql \(name)"
    }
  }

  /// The type by its name; nil for none that state has.
  init?(name: String) {
    let types: [ColumnType] = [
      .boolean, .integer, .real, .date, .timestamp(digits: 0), .timestamp(digits: 3), .timestamp(digits: 6),
      .json,
      .text,
    ]
    if case .decimal(let precision, let scale)? = DeclaredType(name) {
      self = .decimal(precision: precision, scale: scale)
      return
    }
    guard let type = types.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// The type of a column that the source has declared.
  init(_ type: DeclaredType) {
    self =
      switch type {
      case .boolean: .boolean
      case .integer: .integer
      case .double: .real
      case .decimal(let precision, let scale): .decimal(precision: precision, scale: scale)
      case .date: .date
      case .timestamp: .timestamp(digits: 6)
      case .json: .json
      case .text: .text
      }
  }

  /// As a source would declare it, for messages.
  var title: String {
    switch self {
    case .real: "double"
    case .timestamp: "timestamp"
    case .other(let name): name
    case .boolean, .integer, .decimal, .date, .json, .text, .bytes: name
    }
  }

  /// The same where moments and days are not recognised.
  var withoutTimes: ColumnType {
    switch self {
    case .date, .timestamp: .text
    case .boolean, .integer, .real, .decimal, .json, .text, .bytes, .other: self
    }
  }
}

extension Int64 {
  /// Whether a double holds it, and all between it and zero.
  var isSmall: Bool { magnitude <= 1 << 53 }
}

extension UnsafeRawBufferPointer {
  /// Days since 1970-01-01 of a day as `2026-11-25`; nil if it is none.
  var day: Int32? {
    var day: Int32 = 0
    return cadbc_day(baseAddress?.assumingMemoryBound(to: UInt8.self), count, &day) != 0 ? day : nil
  }

  /// Microseconds since 1970 of a moment as `2026-11-25T13:30:00Z`, with 0, 3 or 6 digits behind the second; nil if it is none.
  var moment: (microseconds: Int64, digits: Int)? {
    var (microseconds, digits) = (0 as Int64, 0 as Int32)
    let text = baseAddress?.assumingMemoryBound(to: UInt8.self)
    return cadbc_moment(text, count, &microseconds, &digits) != 0 ? (microseconds, Int(digits)) : nil
  }
}

extension UInt8 {
  var digit: Int? { 0x30...0x39 ~= self ? Int(self) - 0x30 : nil }
}
