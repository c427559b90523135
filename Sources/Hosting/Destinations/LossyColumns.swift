/// What columns of others would lose of a value without a word: a cast cuts, rounds, and drops zones.
extension PostgreSQLDialect {
  func misfit(_ column: String, as type: ColumnType, declared: String?) -> String? {
    switch type {
    case .text:
      // Of what is too long only spaces go.
      ["character varying", "character"].lazy.compactMap { declared?.precisionAndScale(of: $0)?.precision }
        .first
        .map { "char_length(\(column)) > \($0)" }
    case .other(let name): loss(of: column, as: name)
    case .boolean, .integer, .real, .decimal, .date, .timestamp, .json, .bytes: nil
    }
  }

  /// The condition for texts of which a column of that type would keep less.
  private func loss(of text: String, as name: String) -> String? {
    let (element, array) = name.hasSuffix("[]") ? (String(name.dropLast(2)), "[]") : (name, "")
    let base = unlimited(element)
    var conditions: [String] = []
    if base != element {
      let (cut, whole) = ("CAST(\(text) AS \(name))", "\(base)\(array)")
      conditions.append("CAST(\(cut) AS \(whole)) IS DISTINCT FROM CAST(\(text) AS \(whole))")
    }
    let back = "CAST(CAST(\(text) AS \(name)) AS text)"
    switch base {
    case _ where !array.isEmpty:
      guard PostgreSQLDialect.losing.contains(base) else { break }
      conditions.append("replace(\(back), ' ', '') IS DISTINCT FROM replace(\(text), ' ', '')")
    case "real": conditions.append("CAST(\(back) AS numeric) IS DISTINCT FROM CAST(\(text) AS numeric)")
    case "money": conditions.append(#"\#(text) !~ '^-?[0-9]+([.][0-9]{1,2}0*)?$'"#)
    case "name", "\"char\"", "oid": conditions.append("\(back) IS DISTINCT FROM \(text)")
    case "time without time zone": conditions.append("\(text) !~ '^\(clock)$'")
    case "time with time zone": conditions.append("\(text) !~ '^\(clock)([Zz]|[+-].*)?$'")
    case "interval": conditions.append("\(text) ~ '[.][0-9]{7}'")
    default: break
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
  }

  /// The type without what it says of length, digits or fields.
  private func unlimited(_ type: String) -> String {
    if type.hasPrefix("interval") { return "interval" }
    let base = type.replacing(/\([^)]*\)/, with: "")
    return base == "bit" && base != type ? "bit varying" : base
  }

  /// Types that lose something of what is no value of theirs.
  private static let losing: Set<String> = [
    "real", "money", "name", "\"char\"", "oid", "date", "time without time zone",
    "timestamp without time zone",
  ]
}

extension DuckDBDialect {
  func misfit(_ column: String, as type: ColumnType, declared: String?) -> String? {
    guard case .other(let name) = type else { return nil }
    let cast = "TRY_CAST(\(column) AS \(name))"
    return "\(cast) IS NULL" + (loss(of: column, cast, as: name).map { " OR \($0)" } ?? "")
  }

  private func loss(of text: String, _ cast: String, as name: String) -> String? {
    switch name {
    case "FLOAT": return "CAST(CAST(\(cast) AS VARCHAR) AS DOUBLE) IS DISTINCT FROM CAST(\(text) AS DOUBLE)"
    case "TIME": return "NOT regexp_full_match(\(text), '\(clock)')"
    default: break
    }
    // Numbers in lists and structures.
    let base = name.replacing(
      /\b(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DECIMAL\([^)]*\))/, with: "DOUBLE")
    return base == name ? nil : "TRY_CAST(\(cast) AS \(base)) IS DISTINCT FROM TRY_CAST(\(text) AS \(base))"
  }
}

/// The pattern of a time of day that keeps all of its digits.
private let clock = "[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6}0*)?)?"
