import CADBC
import JSON

/// The type of a column, as far as its values differ in how they are read.
///
/// Read from the format strings of the Arrow C data interface, and from what drivers add to them: JSON, UUIDs, and the types of
/// PostgreSQL whose values would otherwise be taken for others.
enum ArrowType: Equatable, Sendable {
  case null, boolean
  /// A byte for each truth.
  case boolean8
  case integer(bytes: Int, isSigned: Bool)
  case real16, real32, real64
  /// An integer of so many bytes, to be divided by a power of ten.
  case decimal(bytes: Int, scale: Int)
  /// Texts and bytes: where they end is in 32 or 64 bits, or they are views.
  case text(ArrowOffsets), bytes(ArrowOffsets), json(ArrowOffsets)
  case fixedBytes(count: Int), uuid
  /// Since 1970, in so many to a day or to a second.
  case days, daysInMilliseconds
  case timestamp(perSecond: Int64, isUTC: Bool)
  /// Since midnight.
  case time(bytes: Int, perSecond: Int64)
  case duration(perSecond: Int64)
  case months, daysAndMilliseconds, monthsDaysAndNanoseconds
  case list(ArrowOffsets), fixedList(count: Int), map, structure
  /// Variants by the number that stands for them.
  case union(isDense: Bool, numbers: [Int8])
  /// Values by their place in another column.
  indirect case dictionary(places: ArrowType)
  /// PostgreSQL's infinite times, and its numbers that are none, have values of their own.
  case postgresqlTimestamp(isUTC: Bool), postgresqlDate, postgresqlNumeric

  /// The type of a column; fails for those whose values would be something else than what they mean.
  init(_ schema: ArrowSchema) throws(ArrowProblem) {
    let format = schema.format.map { String(cString: $0) } ?? ""
    let notes = ArrowNotes(schema.metadata)
    let type = try ArrowType(format: format)
    if schema.dictionary != nil {
      self = .dictionary(places: type)
      return
    }
    self = try type.refined(by: notes)
  }

  /// The same with what the driver tells besides.
  private func refined(by notes: ArrowNotes) throws(ArrowProblem) -> ArrowType {
    let name = notes["POSTGRESQL:type"]
    switch (self, notes["ARROW:extension:name"]) {
    case (.text(let offsets), "arrow.json"): return .json(offsets)
    case (.fixedBytes(count: 16), "arrow.uuid"): return .uuid
    case (.integer(bytes: 1, isSigned: true), "arrow.bool8"): return .boolean8
    case (.fixedBytes(count: 16), "arrow.opaque") where notes.opaqueType == "hugeint":
      return .integer(bytes: 16, isSigned: true)
    case (.fixedBytes(count: 16), "arrow.opaque") where notes.opaqueType == "uhugeint":
      return .integer(bytes: 16, isSigned: false)
    case (.bytes, "geoarrow.wkb"): return self
    case (.bytes, let type?), (.fixedBytes, let type?), (.structure, let type?):
      throw .opaque(name ?? notes["ADBC:postgresql:typname"] ?? notes.opaqueType ?? type)
    case (.text, _) where name == "numeric": return .postgresqlNumeric
    case (.integer, _) where name == "money": throw .opaque(name)
    case (.integer, _) where ["oid", "xid", "cid"].contains(name): return .integer(bytes: 4, isSigned: false)
    case (.timestamp(perSecond: 1_000_000, let isUTC), _) where name != nil:
      return .postgresqlTimestamp(isUTC: isUTC)
    case (.days, _) where name != nil: return .postgresqlDate
    default: return self
    }
  }

  private init(format: String) throws(ArrowProblem) {
    if let simple = ArrowType.simple[format] {
      self = simple
      return
    }
    let parts = format.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let numbers = rest.split(separator: ",").compactMap { Int($0) }
    switch parts[0] {
    case "w" where numbers.count == 1: self = .fixedBytes(count: numbers[0])
    case "+w" where numbers.count == 1: self = .fixedList(count: numbers[0])
    case "d" where numbers.count >= 2:
      self = .decimal(bytes: (numbers.count > 2 ? numbers[2] : 128) / 8, scale: numbers[1])
    case "tss", "tsm", "tsu", "tsn":
      self = .timestamp(perSecond: ArrowType.perSecond[parts[0].last!]!, isUTC: !rest.isEmpty)
    case "+ud", "+us":
      self = .union(isDense: parts[0] == "+ud", numbers: numbers.map { Int8(truncatingIfNeeded: $0) })
    default: throw .unknown(format)
    }
  }

  private static let perSecond: [Character: Int64] = [
    "s": 1, "m": 1000, "u": 1_000_000, "n": 1_000_000_000,
  ]

  private static let simple: [String: ArrowType] = [
    "n": .null, "b": .boolean,
    "c": .integer(bytes: 1, isSigned: true), "C": .integer(bytes: 1, isSigned: false),
    "s": .integer(bytes: 2, isSigned: true), "S": .integer(bytes: 2, isSigned: false),
    "i": .integer(bytes: 4, isSigned: true), "I": .integer(bytes: 4, isSigned: false),
    "l": .integer(bytes: 8, isSigned: true), "L": .integer(bytes: 8, isSigned: false),
    "e": .real16, "f": .real32, "g": .real64,
    "u": .text(.narrow), "U": .text(.wide), "vu": .text(.views),
    "z": .bytes(.narrow), "Z": .bytes(.wide), "vz": .bytes(.views),
    "tdD": .days, "tdm": .daysInMilliseconds,
    "tts": .time(bytes: 4, perSecond: 1), "ttm": .time(bytes: 4, perSecond: 1000),
    "ttu": .time(bytes: 8, perSecond: 1_000_000), "ttn": .time(bytes: 8, perSecond: 1_000_000_000),
    "tDs": .duration(perSecond: 1), "tDm": .duration(perSecond: 1000),
    "tDu": .duration(perSecond: 1_000_000), "tDn": .duration(perSecond: 1_000_000_000),
    "tiM": .months, "tiD": .daysAndMilliseconds, "tin": .monthsDaysAndNanoseconds,
    "+l": .list(.narrow), "+L": .list(.wide), "+s": .structure, "+m": .map,
  ]
}

/// How the ends of values of different lengths are kept.
enum ArrowOffsets: Equatable, Sendable { case narrow, wide, views }

/// Why a column can't be read.
enum ArrowProblem: Error, Equatable {
  /// The driver passes on bytes that only the database understands, of a type with that name.
  case opaque(String?)
  /// A format of Arrow that is not known here.
  case unknown(String)
  /// Arrays of which the driver does not tell how many dimensions they have.
  case shapeless
  /// Rows of PostgreSQL, of which its driver loses some.
  case rows
}

/// What a driver notes of a column: keys and values.
private struct ArrowNotes {
  private var values: [String: String] = [:]

  /// Reads notes in their binary form: a count, then keys and values, each behind its length.
  init(_ start: UnsafePointer<CChar>?) {
    guard let start else { return }
    var place = UnsafeRawPointer(start)
    func number() -> Int {
      defer { place += 4 }
      return Int(place.loadUnaligned(as: Int32.self))
    }
    func text() -> String {
      let count = max(0, number())
      defer { place += count }
      return String(decoding: UnsafeRawBufferPointer(start: place, count: count), as: UTF8.self)
    }
    for _ in 0..<max(0, number()) {
      let key = text()
      values[key] = text()
    }
  }

  subscript(_ key: String) -> String? { values[key] }

  /// The database's name for a type that Arrow does not have.
  var opaqueType: String? {
    guard let text = values["ARROW:extension:metadata"], case .object(let members)? = try? JSONTree(text)
    else { return nil }
    return members["type_name"]?.text
  }
}
