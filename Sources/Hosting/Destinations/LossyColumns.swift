/// What columns of others would lose of a value without a word: a cast cuts, rounds, and drops zones.
///
/// A text is kept that the column gives back as it is, and so are others of which the column's type is known to make the same in a
/// form of its own; of a type that is not known, none.
extension PostgreSQLDialect {
  func misfit(_ column: String, as type: ColumnType, declared: String?) -> String? {
    switch type {
    case .text:
      // Of what is too long only spaces go.
      ["character varying", "character"].lazy.compactMap { declared?.precisionAndScale(of: $0)?.precision }
        .first
        .map { "char_length(\(column)) > \($0)" }
    case .real where declared == "real":
      // Either it is the double, or it is written as that is.
      "\(column) NOT IN (\(column)::real::double precision, \(column)::real::text::double precision)"
    case .other(let name): loss(of: column, as: name)
    case .boolean, .integer, .real, .decimal, .date, .timestamp, .json, .bytes: nil
    }
  }

  /// The condition for texts of which a column of that type would keep less.
  private func loss(of text: String, as name: String) -> String {
    let base = unlimited(name)
    // The elements of boxes alone have semicolons between them.
    if base.hasSuffix("[]"), base != "box[]" {
      return loss(ofPartsOf: text, as: String(name.dropLast(2)))
    }
    // That of pgvector, whatever schema it is in.
    if base.split(separator: ".").last == "vector" {
      return loss(ofPartsOf: "translate(\(text), '[]', '{}')", as: "real")
    }
    let cast = "CAST(\(text) AS \(name))"
    let same = sameness(text, cast, "CAST(\(cast) AS text)", as: base)
    return "CAST(\(cast) AS text) IS DISTINCT FROM \(text) AND NOT (\(same))"
  }

  /// The same for the elements of an array, which are what they are as texts.
  private func loss(ofPartsOf array: String, as element: String) -> String {
    let loss = loss(of: "_lookahead_part", as: element)
    return "EXISTS (SELECT 1 FROM unnest(CAST(\(array) AS text[])) AS _lookahead_parts(_lookahead_part) "
      + "WHERE _lookahead_part IS NOT NULL AND (\(loss)))"
  }

  /// The condition for texts that say the same as what a column of a type gives back, which does not know of the type's length,
  /// digits and fields.
  private func sameness(_ text: String, _ cast: String, _ back: String, as base: String) -> String {
    let isUncut = "CAST(\(cast) AS \(base)) = CAST(\(text) AS \(base))"
    func isNumber(_ condition: String) -> String {
      "CASE WHEN \(text) ~ '^(\(Form.number))$' THEN \(condition) ELSE false END"
    }
    func matches(_ form: String) -> String { "\(text) ~ '^(\(form))$' AND \(isUncut)" }
    switch base {
    case "boolean": return "\(text) IN ('t', 'f', '1', '0')"
    case "numeric", "money": return isNumber("\(cast)::numeric = \(text)::numeric")
    case "real", "double precision":
      return isNumber(
        "\(text)::numeric IN (\(back)::numeric, \(cast)::double precision::text::numeric)")
    case "time without time zone": return matches(Form.clock(6))
    case "time with time zone": return matches(Form.clock(6) + Form.zone)
    case "timestamp without time zone": return matches(Form.moment(6) + Form.universal)
    case "timestamp with time zone": return matches(Form.moment(6) + Form.zone)
    case "interval": return "lower(\(text)) ~ '^(\(Form.interval))$' AND \(isUncut)"
    case "uuid": return "translate(lower(\(text)), '{-}', '') = replace(\(back), '-', '')"
    case "macaddr", "macaddr8": return "translate(lower(\(text)), ':-.', '') = translate(\(back), ':', '')"
    case "inet", "cidr": return "\(text) || '/32' = \(back) OR position(':' in \(text)) > 0"
    case "bytea":
      let isHex = #"lower(\#(text)) = '\x' || encode(\#(cast), 'hex')"#
      return #"position('\' in \#(text)) = 0 OR \#(isHex)"#
    case "jsonb": return "true"
    default:
      // Spaces between the parts of a point, a range or a row say nothing.
      let spaceless = [text, back].map { #"regexp_replace(\#($0), '\s', '', 'g')"# }
      return "\(text) ~ '^[[({]' AND \(spaceless[0]) = \(spaceless[1])"
    }
  }

  /// The type without what it says of length, digits or fields.
  private func unlimited(_ type: String) -> String {
    type.hasPrefix("interval") && !type.hasSuffix("]") ? "interval" : type.replacing(/\([^)]*\)/, with: "")
  }
}

extension DuckDBDialect {
  func misfit(_ column: String, as type: ColumnType, declared: String?) -> String? {
    switch type {
    case .real where declared == "FLOAT":
      // Either it is the double, or it is written as that is. None is infinite.
      let cast = "TRY_CAST(\(column) AS FLOAT)"
      let (exact, written) = ("CAST(\(cast) AS DOUBLE)", "CAST(CAST(\(cast) AS VARCHAR) AS DOUBLE)")
      return "coalesce(\(column) NOT IN (\(exact), \(written)), true)"
    case .other(let name):
      let (type, value) = (DuckDBType(name), "TRY_CAST(\(column) AS \(name))")
      // Of an escape in JSON it takes the backslash away, which is right for the fewest.
      let escapes =
        type.isNested ? #"regexp_matches(\#(column), '(^|[^\\])(\\\\)*\\[bfnrtu]') OR "# : ""
      return "\(value) IS NULL OR \(escapes)\(loss(of: column, value, as: type))"
    case .boolean, .integer, .real, .decimal, .date, .timestamp, .json, .text, .bytes: return nil
    }
  }

  /// The condition for a text that says more than the value which was made of it.
  private func loss(of text: String, _ value: String, as type: DuckDBType, depth: Int = 1) -> String {
    switch type {
    case .list(let element):
      let parts = "TRY_CAST(\(text) AS VARCHAR[])"
      return "\(parts) IS NULL OR \(loss(ofAnyOf: parts, value, as: element, depth))"
    case .map(let key, let element):
      let parts = "TRY_CAST(\(text) AS MAP(VARCHAR, VARCHAR))"
      let keys = loss(ofAnyOf: "map_keys(\(parts))", "map_keys(\(value))", as: key, depth)
      let values = loss(ofAnyOf: "map_values(\(parts))", "map_values(\(value))", as: element, depth)
      return "\(parts) IS NULL OR \(keys) OR \(values)"
    case .structure(let members):
      let names = members.map { "\($0.name) VARCHAR" }.joined(separator: ", ")
      let parts = "TRY_CAST(\(text) AS STRUCT(\(names)))"
      let losses = members.map {
        loss(ofPart: "(\(parts)).\($0.name)", "(\(value)).\($0.name)", as: $0.type, depth)
      }
      return "\(parts) IS NULL OR \(losses.joined(separator: " OR "))"
    case .plain(let name):
      let back = "CAST(\(value) AS VARCHAR)"
      let same = sameness(text, value, back, as: name)
      return "\(back) IS DISTINCT FROM \(text) AND NOT (\(same))"
    }
  }

  /// The same for a list of texts, and that of the values made of them.
  private func loss(ofAnyOf texts: String, _ values: String, as type: DuckDBType, _ depth: Int) -> String {
    let (text, value) = ("_lookahead_text\(depth)", "_lookahead_value\(depth)")
    return "EXISTS (SELECT 1 FROM (SELECT unnest(\(texts)) AS \(text), unnest(\(values)) AS \(value)) "
      + "WHERE \(loss(ofPart: text, value, as: type, depth + 1)))"
  }

  private func loss(ofPart text: String, _ value: String, as type: DuckDBType, _ depth: Int) -> String {
    "\(text) IS NOT NULL AND (\(value) IS NULL OR \(loss(of: text, value, as: type, depth: depth)))"
  }

  /// The condition for texts that say the same as what a column of a type gives back.
  private func sameness(_ text: String, _ value: String, _ back: String, as name: String) -> String {
    func matches(_ form: String) -> String { "regexp_full_match(\(text), '\(form)')" }
    func digits(_ number: String) -> String {
      "trim(regexp_replace(regexp_replace(lower(\(number)), 'e.*', ''), '[-.]', '', 'g'), '0')"
    }
    switch name {
    case "BOOLEAN": return "\(text) IN ('1', '0')"
    case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
      "UBIGINT", "UHUGEINT", "BIGNUM":
      return "regexp_replace(\(text), '[.]0+$', '') = \(back)"
    case "FLOAT", "DOUBLE":
      // As it is written, or the double that it is, in full, too.
      let double = "CAST(\(value) AS DOUBLE)"
      let written = [
        back, "CAST(\(double) AS VARCHAR)", "format('{:.15e}', \(double))", "format('{:.16e}', \(double))",
      ]
      return "\(matches(Form.number)) AND \(digits(text)) IN (\(written.map(digits).joined(separator: ", ")))"
    case "TIME": return matches(Form.clock(6))
    case "TIME_NS": return matches(Form.clock(9))
    case "TIME WITH TIME ZONE": return matches(Form.clock(6) + Form.zone)
    case "TIMESTAMP_S": return matches(Form.moment(0) + Form.universal)
    case "TIMESTAMP_MS": return matches(Form.moment(3) + Form.universal)
    case "TIMESTAMP": return matches(Form.moment(6) + Form.universal)
    case "TIMESTAMP_NS": return matches(Form.moment(9) + Form.universal)
    case "TIMESTAMP WITH TIME ZONE": return matches(Form.moment(6) + Form.zone)
    case "INTERVAL": return "regexp_full_match(lower(\(text)), '\(Form.interval)')"
    case "UUID": return "translate(lower(\(text)), '{-}', '') = replace(\(back), '-', '')"
    case "BLOB": return matches(#"(\\x[0-9A-Fa-f]{2})+"#)
    case "JSON": return #"'"' || \#(text) || '"' = \#(back)"#
    default:
      if let scale = name.precisionAndScale(of: "DECIMAL")?.scale { return matches(Form.decimal(scale)) }
      return name.hasPrefix("GEOMETRY") ? "replace(\(text), ' ', '') = replace(\(back), ' ', '')" : "false"
    }
  }
}

/// Regular expressions of texts of which both databases keep everything.
private enum Form {
  /// As JSON has it.
  static let number = "-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?"

  /// A number with no more digits behind the point.
  static func decimal(_ scale: Int) -> String { "-?(0|[1-9][0-9]*)([.][0-9]{0,\(scale)}0*)?" }

  /// A time of day with no more digits behind the second.
  static func clock(_ digits: Int) -> String { "[0-9]{1,2}\(minutes(digits))" }

  static func moment(_ digits: Int) -> String { "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]\(clock(digits))" }

  static let zone = "([Zz]|[+-][0-9]{2}(:?[0-9]{2}(:?[0-9]{2})?)?)?"

  /// The only zone that a column without zones may drop.
  static let universal = "([Zz]|[+-]00(:?00)?)?"

  /// In lowercase: a few units of fixed length, which may have parts, others as a whole, a time of day, or the form of ISO 8601.
  static let interval = "\(phrase)+( ?ago)?|(\(phrase)+)?[-+]?[0-9]+\(minutes(6))|\(period)"

  private static let phrase =
    "(\(count) ?(y|years?|mon|mons|months?|ms|milliseconds?|us|microseconds?) ?"
    + "|\(count)([.][0-9]{1,2}0*)? ?(w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?) ?"
    + "|\(count)([.][0-9]{1,6}0*)? ?(s|secs?|seconds?) ?)"
  private static let count = "[-+]?[0-9]+"
  private static let period =
    "p([0-9]+y)?([0-9]+m)?([0-9]+w)?([0-9]+d)?(t([0-9]+h)?([0-9]+m)?([0-9]+([.][0-9]{1,6}0*)?s)?)?"

  private static func minutes(_ digits: Int) -> String {
    ":[0-9]{2}(:[0-5][0-9]([.][0-9]{0,\(digits)}0*)?)?"
  }
}
