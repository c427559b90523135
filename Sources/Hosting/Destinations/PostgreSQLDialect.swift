import Items

/// PostgreSQL, and what speaks its language.
struct PostgreSQLDialect: Dialect {
  let name = "PostgreSQL"
  let mostColumns = 1600
  let longestName = 63
  let ignoresCase = false
  let keepsNull = false
  let refusesTwins = true
  let takesStreams = true
  // What others have committed is seen by the next statement, whatever the server's default is.
  let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
  let temporary = "pg_temp"
  let lock = " FOR UPDATE"
  let settings = [
    "SET standard_conforming_strings = on", "SET DateStyle = ISO", "SET client_min_messages = warning",
    "SET extra_float_digits = 1", "SET TimeZone = 'UTC'",
    // The few rows of a batch are found by their ids, in however large a table.
    "SET enable_hashjoin = off", "SET enable_mergejoin = off",
    // What is committed stays, whatever the server's default is.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
  ]

  func declaration(of type: ColumnType) -> String {
    switch type {
    case .boolean: "boolean"
    case .integer: "bigint"
    case .real: "double precision"
    case .decimal(let precision, let scale): "numeric(\(precision),\(scale))"
    case .date: "date"
    case .timestamp(let digits): "timestamp(\(digits)) with time zone"
    case .json: "jsonb"
    case .text: "text"
    case .bytes: "bytea"
    case .other(let name): name
    }
  }

  func type(ofDeclared name: String) -> ColumnType {
    switch name {
    case "boolean": return .boolean
    case "smallint", "integer", "bigint": return .integer
    case "double precision", "real": return .real
    case "date": return .date
    case "json", "jsonb": return .json
    case "text": return .text
    default: break
    }
    // Cut silently by a cast, and refused where they are too long without one.
    if name.hasPrefix("character"), !name.hasSuffix("[]") { return .text }
    if let (precision, scale) = name.precisionAndScale(of: "numeric") {
      return .decimal(precision: precision, scale: scale)
    }
    guard name.hasPrefix("timestamp"), name.hasSuffix("time zone") else { return .other(name) }
    return .timestamp(digits: (0...5).first { name.contains("(\($0))") } ?? 6)
  }

  func doubt(of key: String, in table: String, schema: String) -> String {
    """
    SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indrelid \
    JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] \
    WHERE nspname = \(schema.asLiteral) AND relname = \(table.asLiteral) AND attname = \(key.asLiteral) AND indisunique \
    AND indnkeyatts = 1 AND indpred IS NULL AND indisvalid AND indimmediate)
    """
  }

  func way(toFindBy key: String, in table: String, schema: String) -> String {
    "it has no unique index on \(key) alone, by which rows are merged: CREATE UNIQUE INDEX ON \(self.table(table, in: schema)) "
      + "(\(key.asIdentifier))"
  }

  func folds(_ key: String, in table: String, schema: String) -> String? {
    """
    SELECT 1 \(known(table, schema, "JOIN pg_attribute ON attrelid = pg_class.oid JOIN pg_collation ON pg_collation.oid = attcollation")) \
    AND attname = \(key.asLiteral) AND NOT collisdeterministic
    """
  }

  /// The next transaction.
  let mark: String? = "SELECT txid_snapshot_xmax(txid_current_snapshot())"

  func isNewer(than mark: Int64) -> String? { "age(xmin) <= age('\(mark & 0xFFFF_FFFF)'::xid)" }

  func reserves(_ column: String) -> Bool {
    ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"].contains(column)
  }

  func kind(of table: String, schema: String) -> String? {
    """
    SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' \
    ELSE 'relation of the kind ' || relkind::text END \(known(table, schema)) AND relkind NOT IN ('r', 'p')
    """
  }

  func rules(of table: String, schema: String) -> String? {
    """
    SELECT attname::text, attnotnull::int, (atthasdef OR attidentity <> '')::int, \
    CASE WHEN attidentity = 'a' THEN 'GENERATED ALWAYS AS IDENTITY' WHEN attgenerated <> '' THEN 'GENERATED ALWAYS AS' ELSE '' END \
    \(known(table, schema, "JOIN pg_attribute ON attrelid = pg_class.oid")) AND attnum > 0 AND NOT attisdropped \
    AND (attnotnull OR attidentity <> '' OR attgenerated <> '')
    """
  }

  func watchers(of table: String, schema: String) -> String? {
    """
    SELECT 1 \(known(table, schema)) AND \(isWatched)
    """
  }

  /// The condition for a table that rows may be kept out of: partitions have triggers of their own.
  private var isWatched: String {
    """
    (relrowsecurity OR EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid IN (WITH RECURSIVE parts(part) AS (SELECT pg_class.oid \
    UNION ALL SELECT inhrelid FROM parts JOIN pg_inherits ON inhparent = part) SELECT part FROM parts) \
    AND NOT tgisinternal AND tgenabled <> 'D') OR EXISTS (SELECT 1 FROM pg_rewrite WHERE ev_class = pg_class.oid))
    """
  }

  func holding(_ table: String) -> String? { "LOCK TABLE \(table) IN ROW EXCLUSIVE MODE" }

  func digest(of table: String, schema: String) -> String? {
    """
    SELECT concat_ws(' ', pg_class.oid, \(isWatched), (SELECT string_agg(concat_ws(' ', attnum, quote_ident(attname), \
    atttypid, atttypmod, attcollation, attnotnull, atthasdef, attidentity, attgenerated), ',' \
    ORDER BY attnum) FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped)) \
    \(known(table, schema))
    """
  }

  /// A query's end that finds a table.
  private func known(_ table: String, _ schema: String, _ join: String = "") -> String {
    """
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \(join) \
    WHERE nspname = \(schema.asLiteral) AND relname = \(table.asLiteral)
    """
  }

  func isDeclared(_ declared: String, as type: ColumnType) -> Bool { declared == declaration(of: type) }

  /// A domain is the type that it is made of, with what that says of length and digits.
  func columns(of table: String, schema: String) -> String {
    """
    SELECT attname::text, (WITH RECURSIVE known(type, modifier) AS (SELECT atttypid, atttypmod \
    UNION ALL SELECT typbasetype, typtypmod FROM known JOIN pg_type ON oid = type WHERE typtype = 'd') \
    SELECT format_type(type, modifier) FROM known JOIN pg_type ON oid = type WHERE typtype <> 'd') FROM pg_attribute \
    JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace \
    WHERE nspname = \(schema.asLiteral) AND relname = \(table.asLiteral) AND attnum > 0 AND NOT attisdropped \
    ORDER BY attnum
    """
  }

  func widening(_ column: String, of table: String, from old: ColumnType, to new: ColumnType) -> [String] {
    let value =
      switch (old, new) {
      case (.timestamp, .timestamp): column
      case (.timestamp(let digits), _): "to_char(\(column) AT TIME ZONE 'UTC', '\(pattern(digits))')"
      case (.real, .text): spelt(column)
      default: "\(column)::\(declaration(of: new))"
      }
    return [
      "ALTER TABLE \(table) ALTER COLUMN \(column) TYPE \(declaration(of: new)) USING \(value)"
    ]
  }

  /// As `Double.columnText` has it: from 1e15 on PostgreSQL writes exponents. One that is no integer has 17 digits there.
  private func spelt(_ column: String) -> String {
    """
    CASE WHEN abs(\(column)) < \(1 << 54) AND \(column) = trunc(\(column)) THEN trunc(\(column))::bigint::text \
    ELSE regexp_replace(\(column)::text, '^(-?[0-9])[.]([0-9]{15})([0-9]+)e[+]15$', '\\1\\2.\\3') END
    """
  }

  private func pattern(_ digits: Int) -> String {
    let fraction = digits == 3 ? ".MS" : digits == 6 ? ".US" : ""
    return #"YYYY-MM-DD"T"HH24:MI:SS\#(fraction)"Z""#
  }

  func value(_ column: String, as type: ColumnType, declared: String?) -> String {
    switch type {
    case .real where declared == "real": "\(column)::real"
    case .json, .decimal, .other: "\(column)::\(declared ?? declaration(of: type))"
    case .timestamp where declared?.hasSuffix("without time zone") == true: "\(column) AT TIME ZONE 'UTC'"
    case .boolean, .integer, .real, .date, .timestamp, .text, .bytes: column
    }
  }

  func storingAsIs(_ column: String, of table: String) -> String? {
    "ALTER TABLE \(table) ALTER COLUMN \(column) SET STORAGE EXTERNAL"
  }

  func literal(_ bytes: Bytes) -> String { "'\\x\(bytes.digits())'::bytea" }

  func merge(_ merge: Merge) -> [String] {
    let insert =
      "INSERT INTO \(merge.table) AS _lookahead_old (\(merge.names)) SELECT \(merge.values) FROM \(merge.batch) AS _lookahead_new"
    if merge.isNew { return [insert] }
    let others = merge.columns.filter { $0.name != merge.key }
    let isThere = "_lookahead_old.\(merge.key) = \(merge.keyValue)"
    let isMissing = "NOT EXISTS (\(merge.match))"
    guard !others.isEmpty else {
      return ["\(insert) WHERE \(isMissing) ON CONFLICT (\(merge.key)) DO NOTHING"]
    }
    let updates = others.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
    let old = others.map { "_lookahead_old.\($0.name)" }.joined(separator: ", ")
    let new = others.map(\.value).joined(separator: ", ")
    let replaced = others.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
    // A row that stays as it is, byte for byte, is not written.
    let isOther = merge.isComparable ? " AND ROW(\(old))::record *<> ROW(\(new))::record" : ""
    return [
      "UPDATE \(merge.table) AS _lookahead_old SET \(updates) FROM \(merge.batch) AS _lookahead_new WHERE \(isThere)\(isOther)",
      "\(insert) WHERE \(isMissing) ON CONFLICT (\(merge.key)) DO UPDATE SET \(replaced)",
    ]
  }
}
