import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Many rows at once are the same rows as one by one, which a table with a trigger gets.
@Suite struct SinkFeedTests {
  private let folder = TemporaryFolder()

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `rows that are written together are as rows that are written one by one`(_ seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var items = RandomItems(&dice)
    let deliveries = (0..<Int.random(in: 1...4, using: &dice)).map { _ in items.list(&dice) }

    let together = try written(deliveries, to: "together.db", watched: false)
    let each = try written(deliveries, to: "each.db", watched: true)

    #expect(together == each, "seed \(seed)")
  }

  @Test func `an item that the table refuses is named, wherever it stands among many`() throws {
    let path = folder.file("a.db")
    execute("CREATE TABLE items (id INTEGER PRIMARY KEY, n CHECK (n < 50))", of: path)
    var configuration = SinkConfiguration(path: path)
    configuration.adopts = true
    let sink = try makeSink(configuration)

    sink.answer((0..<40).map { item($0, "{\"id\":\($0),\"n\":\($0)}") })
    sink.answer((40..<80).map { item($0, "{\"id\":\($0),\"n\":\($0)}") })
    let report = sink.finish()

    #expect(
      report.failure?.message.contains("does not take the item 50: CHECK constraint failed: n < 50") == true)
    #expect(report.items == ["items": 40])
    #expect(rows("SELECT count(*) AS n, max(id) AS most FROM items", of: path) == #"[{"n":40,"most":39}]"#)
  }

  @Test(arguments: [
    ("n UNIQUE ON CONFLICT IGNORE", "UNIQUE constraint failed: items.n"),
    ("n unique  on conflict replace", "UNIQUE constraint failed: items.n"),
    ("n, UNIQUE (n) ON CONFLICT REPLACE", "UNIQUE constraint failed: items.n"),
    ("n UNIQUE ON CONFLICT ROLLBACK", "UNIQUE constraint failed: items.n"),
    (
      "n CHECK (n < 31) && CREATE TRIGGER t BEFORE INSERT ON items WHEN new.id = 31 BEGIN SELECT RAISE(IGNORE); END",
      "a trigger keeps it out"
    ),
    ("n, id2 DEFAULT 1, m NOT NULL ON CONFLICT IGNORE", "a constraint with ON CONFLICT IGNORE keeps it out"),
  ])
  func `an item that is kept out in silence, or would replace another, is named too`(
    columns: String, reason: String
  ) throws {
    let path = folder.file("a.db")
    let (table, trigger) = (
      columns.split(separator: " && ").first ?? "", columns.split(separator: " && ").dropFirst()
    )
    execute("CREATE TABLE items (id INTEGER PRIMARY KEY, \(table))", of: path)
    for sql in trigger { execute(String(sql), of: path) }
    var configuration = SinkConfiguration(path: path)
    configuration.adopts = true
    let sink = try makeSink(configuration)

    sink.answer(
      (0..<40).map { item($0, "{\"id\":\($0),\"n\":\(min($0, 30)),\"m\":\($0 == 31 ? "null" : "1")}") })
    let report = sink.finish()

    #expect(
      report.failure?.message.contains("does not take the item 31: \(reason)") == true,
      "\(report.failure?.message ?? "")")
    #expect(rows("SELECT count(*) AS n FROM items", of: path) == #"[{"n":0}]"#)
  }

  /// What is in the table, with the types of all values; or what was said.
  private func written(_ deliveries: [[Item]], to name: String, watched: Bool) throws -> String? {
    let path = folder.file(name)
    let first = try makeSink(SinkConfiguration(path: path))
    first.answer([deliveries[0][0]])
    if let failure = first.finish().failure { return failure.message }
    if watched { execute("CREATE TRIGGER t AFTER INSERT ON items BEGIN SELECT 1; END", of: path) }
    let sink = try makeSink(SinkConfiguration(path: path))
    for items in deliveries { sink.answer(items) }
    let report = sink.finish()
    if let failure = report.failure { return failure.message.replacing(name, with: "") }
    return [
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'items'",
      "SELECT * FROM items ORDER BY rowid", "PRAGMA integrity_check",
    ].map { rows($0, of: path) ?? "" }.joined()
  }

  private func execute(_ sql: String, of path: String) {
    let databases = DatabaseCalls(permissions: .all)
    defer { databases.finish() }
    let handle = databases.answer(.openDatabase(path: path, isReadOnly: false)).handle
    #expect(databases.answer(.execute(handle: handle, SQLStatement(sql))).failure == nil)
  }
}

/// Items that mostly have the same members with values of the same types.
private struct RandomItems {
  private let members: [(name: String, kind: Int)]
  private let hasTextIDs: Bool
  /// How many of a hundred are unlike the others.
  private let odd: Int
  private var last: Int64 = 0

  init(_ dice: inout SeededGenerator) {
    let names = ["a", "B", "b", "c d", "é", "q\"", "_id", "_partition", "back\\slash", "n"]
    members = names.shuffled(using: &dice).prefix(Int.random(in: 0...6, using: &dice)).map {
      ($0, Int.random(in: 0..<8, using: &dice))
    }
    hasTextIDs = Int.random(in: 0..<3, using: &dice) == 0
    odd = [0, 2, 10, 40].randomElement(using: &dice)!
  }

  mutating func list(_ dice: inout SeededGenerator) -> [Item] {
    (0..<Int.random(in: 1...60, using: &dice)).map { _ in item(&dice) }
  }

  private mutating func item(_ dice: inout SeededGenerator) -> Item {
    func isOdd() -> Bool { Int.random(in: 0..<100, using: &dice) < odd }
    last = isOdd() ? .random(in: 0...last, using: &dice) : last + 1
    let isText = isOdd() ? !hasTextIDs : hasTextIDs
    let id: ItemID = isText ? .text(isOdd() ? "\(last)" : "k\(last)") : .integer(last)
    var pairs = members.map { (name: $0.name, value: value(isOdd() ? nil : $0.kind, &dice)) }
    if !isOdd() { pairs.insert(("id", isText ? "\"\(id)\"" : "\(id)"), at: 0) }
    if isOdd() { pairs.shuffle(using: &dice) }
    if isOdd() { pairs.append(("late\(Int.random(in: 0...3, using: &dice))", value(nil, &dice))) }
    if isOdd(), let pair = pairs.randomElement(using: &dice) { pairs.append(pair) }
    if isOdd(), !pairs.isEmpty { pairs.removeLast() }
    let space = isOdd() ? " " : ""
    let escapes = isOdd()
    let written = pairs.map { name, value in
      var key = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      if escapes { key = key.replacing("a", with: "\\u0061") }
      return "\(space)\"\(key)\"\(space):\(space)\(value)\(space)"
    }
    return Item(id: id, bytes: Bytes(isOdd() && pairs.isEmpty ? "7" : "{\(written.joined(separator: ","))}"))
  }

  private func value(_ kind: Int?, _ dice: inout SeededGenerator) -> String {
    let choices: [[String]] = [
      ["0", "-1", "42", "9007199254740993", "9223372036854775807", "-9223372036854775808"],
      ["0.5", "-0.0", "1e3", "3.0", "0.12345678901234567", "1.7976931348623157e308", "123456789.125"],
      ["\"\"", "\"x\"", "\"été 日本\"", "\"12\"", "\"null\""],
      ["\"a\\nb\"", "\"\\u00e9\\u0000\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\\"\\\\\""],
      ["true", "false"], ["[]", "[1, {\"a\": \"\\n\"}]", "{}", "{\"k\":[null]}"], ["null"],
      ["9223372036854775808", "-123456789012345678901234567890", "1e400", "5e-324", "1e-400"],
    ]
    return choices[kind ?? Int.random(in: 0..<choices.count, using: &dice)].randomElement(using: &dice)!
  }
}
