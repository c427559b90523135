import Scripting
import Testing

@Suite struct TextTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `base64 is that of RFC 4648`(_ text: String, _ encoded: String) throws {
    let script = "print(lookahead.base64.encode(\"\(text)\"), lookahead.base64.decode(\"\(encoded)\"))"

    #expect(try printed(by: script) == ["\(encoded)\t\(text)"])
  }

  @Test func `base64 takes every byte, both alphabets and texts without padding`() throws {
    let lines = try printed(
      by: """
        local bytes = {}
        for byte = 0, 255 do bytes[#bytes + 1] = string.char(byte) end
        local text = table.concat(bytes)
        print(lookahead.base64.decode(lookahead.base64.encode(text)) == text)
        print(lookahead.base64.decode("-_8") == lookahead.base64.decode("+/8="), lookahead.base64.decode("Zg\\n=="))
        print(select(2, pcall(lookahead.base64.decode, "Z")))
        print(select(2, pcall(lookahead.base64.decode, "Z*==")))
        """)

    let refusal = "base64.decode: the text is not base64"
    #expect(lines == ["true", "true\tf", "feed.lua:6: \(refusal)", "feed.lua:7: \(refusal)"])
  }

  @Test(arguments: [
    "aGVsbG8=aGVsbG8=", "a=GVsbG8", "====", "==", "=", "=aGk=", "aGk==", "aGk=\\n=", "Zm9v====", "Zm9v=",
    "Z===", "Zg=",
  ])
  func `what fills a text of base64 stands at its end`(_ text: String) throws {
    #expect(
      try failure(of: "lookahead.base64.decode(\"\(text)\")")
        == "feed.lua:1: base64.decode: the text is not base64")
  }

  @Test func `numbers that differ are different texts, wherever the host writes them`() throws {
    let run = try ScriptRun(
      """
      lookahead.log.info(0.1 + 0.2, { [0.1 + 0.2] = 0.1 + 0.2 })
      lookahead.time.iso(1e15 / 3)
      """)

    #expect(run.logged.contains { $0.contains("0.30000000000000004") })
    #expect(run.failure?.contains("333333333333333.3") == true, "\(run.failure ?? "")")
  }

  @Test func `hashes are the host's, in hexadecimal`() throws {
    let run = try ScriptRun(
      "print(lookahead.hash.sha256(\"ab\"), lookahead.hash.hmacSha256(\"key\", \"ab\"))"
    ) {
      $0.digest = { _, key, data in (key ?? [0]) + data + [255, 16] }
    }

    #expect(run.printed == ["006162ff10\t6b65796162ff10"])
    #expect(
      try failure(of: "lookahead.hash.hmacSha256(\"key\")")
        == "feed.lua:1: hash.hmacSha256: argument 2: expected a string, got nothing")
  }

  @Test func `a digest as bytes is the key of another`() throws {
    let run = try ScriptRun(
      "local h = lookahead.hash\nprint(h.hmacSha256(h.hmacSha256(\"key\", \"ab\", { raw = true }), \"c\"))"
    ) {
      $0.digest = { _, key, data in (key ?? [0]) + data + [255, 16] }
    }

    #expect(run.printed == ["6b65796162ff1063ff10"])
    #expect(
      try failure(of: "lookahead.hash.sha256(\"key\", { raw = 1 })")
        == "feed.lua:1: hash.sha256: raw: expected true or false, got 1")
  }

  @Test(arguments: [
    ("0", "1970-01-01T00:00:00Z"), ("951782400", "2000-02-29T00:00:00Z"), ("-1", "1969-12-31T23:59:59Z"),
    ("1.5", "1970-01-01T00:00:01.500Z"), ("-62167219200", "0000-01-01T00:00:00Z"),
    ("253402300799", "9999-12-31T23:59:59Z"),
  ])
  func `a time is written and read`(_ seconds: String, _ text: String) throws {
    #expect(
      try printed(by: "print(lookahead.time.iso(\(seconds)), lookahead.time.parse(\"\(text)\"))") == [
        "\(text)\t\(seconds)"
      ])
  }

  @Test(arguments: [
    ("2026-11-21", "1795219200"), ("2026-11-21T09:10:00+02:00", "1795245000"),
    ("2026-11-21 09:10", "1795252200"),
    ("2026-11-21T09:10:00-0530", "1795272000"), ("2026-11-21t09:10:00.25z", "1795252200.25"),
    ("2024-02-29T00:00:00Z", "1709164800"), ("2024-02-28T24:00:00Z", "1709164800"),
    ("2026-11-21T09:10:00+14:00", "1795201800"), ("2026-11-21T23:59:60Z", "1795305600"),
  ])
  func `a time may be written in several ways`(_ text: String, _ seconds: String) throws {
    #expect(try printed(by: "print(lookahead.time.parse(\"\(text)\"))") == [seconds])
  }

  @Test(arguments: [
    "", "hello", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31", "2026-01-00", "2026-1-1",
    "2026-11-21T25:00",
    "2026-11-21T09:60", "2026-11-21T09:10:61Z", "2026-11-21T09:10:00X", "2026-11-21T09:10:00Z?",
    "2026-11-21T09:10:00+99:00", "2026-11-21T09:10:00+24:00", "2026-11-21T09:10:00-01:60", "2026-11-21T24:30",
    "2026-11-21T24:00:01Z",
  ])
  func `what is no time is refused`(_ text: String) throws {
    #expect(
      try failure(of: "lookahead.time.parse(\"\(text)\")")
        == "feed.lua:1: time.parse: expected a time as 2026-11-21T09:10:00Z, got \"\(text)\"")
  }

  @Test func `times in milliseconds come back as they were`() throws {
    let run = try ScriptRun(
      """
      for round = 1, 2000 do
        local seconds = math.random(-60000000000, 250000000000) + math.random(0, 999) / 1000
        local back = lookahead.time.parse(lookahead.time.iso(seconds))
        if math.abs(back - seconds) > 1e-4 then print(seconds, back) end
      end
      """
    ) { $0.seed = 7 }

    #expect(run.outcome == [])
  }

  @Test(arguments: [
    ("2026-11-21T09:10:00.9996Z", "2026-11-21T09:10:00.999Z"),
    ("2026-11-21T09:10:00.123456Z", "2026-11-21T09:10:00.123Z"),
    ("1969-12-31T23:59:59.0009Z", "1969-12-31T23:59:59Z"),
    ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"),
  ])
  func `a time is never written later than it is`(text: String, written: String) throws {
    #expect(try printed(by: "print(lookahead.time.iso(lookahead.time.parse(\"\(text)\")))") == [written])
  }

  @Test(arguments: ["\"x\"", "0/0", "math.huge", "1e300", "-62167219201", "253402300800"])
  func `what is no number of seconds is refused`(_ value: String) throws {
    #expect(
      try failure(of: "lookahead.time.iso(\(value))")?
        .hasPrefix("feed.lua:1: time.iso: expected seconds since 1970, got ") == true)
  }

  @Test(arguments: [
    ("", "nothing"), ("nil", "nil"), ("{}", "table"), ("print", "function"), ("true", "boolean"),
    ("\"x\"", "\"x\""), ("lookahead.null", "null"), ("math.huge", "inf"),
  ])
  func `what a time is not is said by its type`(_ value: String, _ shown: String) throws {
    #expect(
      try failure(of: "lookahead.time.iso(\(value))")
        == "feed.lua:1: time.iso: expected seconds since 1970, got \(shown)")
  }

  @Test func `the log takes a level, a message and fields`() throws {
    let run = try ScriptRun(
      """
      lookahead.log.debug("starts")
      lookahead.log.info("page", { number = 3, name = "a", deep = { 1 }, none = lookahead.null })
      lookahead.log.warn(12)
      lookahead.log.error(nil)
      print(1, nil, "a", lookahead.null)
      lookahead.log.info("x", 3)
      """)

    #expect(
      run.logged == [
        "debug: starts", "info: page deep=[1] name=a none=null number=3", "warn: 12",
        "error: nil",
      ])
    #expect(run.printed == ["1\tnil\ta\tnull"])
    #expect(run.failure == "feed.lua:6: log.info: argument 2: expected a table, got 3")
  }
}
