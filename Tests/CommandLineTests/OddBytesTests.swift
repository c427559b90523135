import Testing

/// Strings of a script that are not UTF-8. What is written for their bytes would be written for others too: two ids would be one.
@Suite(.waiting) struct OddBytesTests {
  @Test(
    arguments: [
      #"lookahead.emit { id = 1, name = "caf\xe9" }"#,
      #"lookahead.emit { id = 1, ["caf\xe9"] = 1 }"#,
      #"return lookahead.source { fetch = function() return { items = { { id = "caf\xe9" } } } end }"#,
      #"return lookahead.source { fetch = function() return { items = { { n = 1 } } } end, id = function() return "caf\xe9" end }"#,
      #"return lookahead.source { fetch = function() return { items = { { id = 1 } }, nextKey = "caf\xe9" } end }"#,
      #"return lookahead.source { fetch = function() return { items = { { id = 1 } }, removed = { "caf\xe9" } } end }"#,
      #"lookahead.step("caf\xe9", function() lookahead.emit { id = 1 } end)"#,
      #"lookahead.step("one", function() return "caf\xe9" end)"#,
      #"local db = lookahead.sqlite.open(":memory:") db:query("select ?", { "caf\xe9" })"#,
      #"local db = lookahead.sqlite.open(":memory:") db:execute("select '\xe9'")"#,
      #"lookahead.prefetcher { fetch = print }:get("caf\xe9")"#,
      #"lookahead.source { fetch = function() return { items = {} } end }:itemSet():contains("caf\xe9")"#,
      #"lookahead.csv.encode { { "caf\xe9" } }"#, #"lookahead.json.encode { "caf\xe9" }"#,
      #"lookahead.emit({ id = 1 }, "caf\xe9")"#,
      #"return lookahead.source { name = "s", fetch = function() return { items = {} } end }:with { of = "caf\xe9" }"#,
    ], ["a.db", "a.ndjson"])
  func `a string that is not UTF-8 is no data`(script: String, output: String) throws {
    let scratch = try Scratch(script: script)

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains("UTF-8"), "\(result.errors)")
    #expect(result.errors.contains("error: feed.lua:1"), "\(result.errors)")
  }

  /// What comes from outside as a text: two that differ must not become one.
  @Test(arguments: [
    (
      #"local db = lookahead.sqlite.open("odd.db") db:query("select * from t")"#,
      "row 2, column name: bytes that are no UTF-8 (63 61 66 e9): cast(… as blob) reads them, as base64 (in: select * from t)"
    ),
    (
      #"local db = lookahead.sqlite.open("odd.db") for row in db:rows("select id, name from t") do print(row.id) end"#,
      "row 2, column name: bytes that are no UTF-8"
    ),
    (
      #"lookahead.sqlite.open("odd.db"):query("select * from named")"#,
      "the name of column 1 is no UTF-8: give it another one"
    ),
    (#"lookahead.fs.list("names")"#, #"names has a name that is no UTF-8 (a\x"#),
    (#"lookahead.env.get("ODD")"#, "env.get: the variable ODD is no text (expected UTF-8)"),
  ])
  func `a text from outside that is not UTF-8 is an error that names its place`(
    call: (script: String, says: String)
  ) throws {
    let scratch = try Scratch(script: call.script)
    try scratch.write("make.py", Self.making)

    let result = try scratch.shell("python3 make.py; ODD=$'x\\xe9' lookahead run feed.lua --allow-env")

    #expect(result.exitCode != 0)
    #expect(result.errors.contains(call.says), "\(result.errors)")
    #expect(result.errors.contains("feed.lua:1"), "\(result.errors)")
    #expect(!result.errors.contains("\u{FFFD}"), "\(result.errors)")
  }

  private static let making = #"""
    import os, sqlite3
    db = sqlite3.connect('odd.db')
    db.execute('create table t (id integer primary key, name text)')
    db.execute("insert into t values (1, 'plain'), (2, cast(x'636166e9' as text)), (3, cast(x'636166e8' as text))")
    db.commit()
    bytes = open('odd.db', 'rb').read()
    db.execute('create table named (odd_)')
    db.execute('insert into named values (1)')
    db.commit()
    db.close()
    bytes = open('odd.db', 'rb').read().replace(b'named (odd_)', b'named (odd\xe9)')
    open('odd.db', 'wb').write(bytes)
    os.mkdir('names')
    for name in [b'a\xe9', b'a\xe8', b'b']: open(b'names/' + name, 'w').close()
    """#

  @Test func `bytes of a database can be asked for, and files with plain names are listed`() throws {
    let scratch = try Scratch(
      script: #"""
        local db = lookahead.sqlite.open("odd.db")
        for _, row in ipairs(db:query("select cast(name as blob) as name from t where id > 1")) do
          print((lookahead.base64.decode(row.name):gsub("%W", function(c) return c:byte() end)))
        end
        print(table.concat(lookahead.fs.list("."), " "))
        """#)
    try scratch.write("make.py", Self.making)

    let result = try scratch.shell("python3 make.py; lookahead run feed.lua")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("caf233\ncaf232\nfeed.lua make.py names odd.db"), "\(result.errors)")
  }

  @Test(arguments: [
    ("lookahead run feed.lua -e $'x=caf\\xe9'", "argument 4 (-e x=…) is no text: expected UTF-8"),
    ("lookahead run feed.lua -o $'caf\\xe9.db'", "argument 4 (-o) is no text: expected UTF-8"),
    (
      "LOOKAHEAD_OUTPUT=$'caf\\xe9.db' lookahead run feed.lua",
      "the variable LOOKAHEAD_OUTPUT is no text (expected UTF-8)"
    ),
  ])
  func `an argument that is not UTF-8 is refused`(line: (shell: String, says: String)) throws {
    let scratch = try Scratch(script: "lookahead.emit { id = 1 }")

    let result = try scratch.shell(line.shell)

    #expect(result.exitCode == 64)
    #expect(result.errors.contains(line.says), "\(result.errors)")
    #expect(!result.errors.contains("caf"), "\(result.errors)")
    #expect(try scratch.shell("ls").output == "feed.lua\n")
  }

  @Test func `it can be printed, hashed, written as base64 and to a file`() throws {
    let scratch = try Scratch(
      script: #"""
        local odd = "caf\xe9"
        print(odd)
        lookahead.log.info("read " .. odd, { what = odd })
        lookahead.emit { id = 1, hash = lookahead.hash.sha256(odd), bytes = lookahead.base64.encode(odd) }
        lookahead.fs.write("odd.txt", odd)
        """#)

    let result = try scratch.lookahead("run", "feed.lua", "--allow-write=.")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains(#""bytes":"Y2Fm6Q==""#), "\(result.output)")
    #expect(try scratch.shell("od -An -tx1 odd.txt").output.contains("63 61 66 e9"))
  }

  /// A quote and an accent behind it are one character to Swift, and two to SQL.
  @Test(arguments: ["\u{FE0F}", "\u{301}", "\u{200D}"])
  func `a name with a quote and a mark that joins it stays in its quotes`(mark: String) throws {
    let scratch = try Scratch(
      script:
        "lookahead.emit({ id = 1 }, 'a \"\(mark)') lookahead.emit({ id = 2, ['size \"\(mark)'] = 'it\\'\(mark)s' }, 'feed')"
    )

    let result = try scratch.lookahead("run", "feed.lua", "-o", "a.db")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try scratch.rows("select name from sqlite_schema where name like 'a %'") == "a \"\(mark)")
    #expect(try scratch.rows("select * from feed") == "2|it'\(mark)s")
  }
}
