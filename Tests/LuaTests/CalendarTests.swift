import Lua
import Testing

/// `os.date` and `os.time`, which are the host's own, and do what Lua's manual says.
@Suite struct CalendarTests {
  let state = LuaState()

  @Test(arguments: [
    ("os.date('!%Y-%m-%d %H:%M:%S', 0)", "1970-01-01 00:00:00"),
    ("os.date('!%Ex%Od%%', 86400)", "01/02/7002%"),
    ("os.date('!', 0)", ""),
    ("os.date('!*t', 1e9 // 1 | 0).year .. ' ' .. os.date('!*t', 1000000000).wday", "2001 1"),
    ("os.date('!*t', 1000000000).yday .. tostring(os.date('!*t', 0).isdst)", "252false"),
    ("os.date('%Y', os.time { year = 2020, month = 14, day = 1 })", "2021"),
    (
      "os.time { year = 2020, month = 1, day = 1 } - os.time { year = 2020, month = 1, day = 1, hour = 0 }",
      "43200"
    ),
    (
      "(function() local t = { year = 2021, month = 13, day = 32, sec = 61 } os.time(t) return t.month .. t.day .. t.min end)()",
      "211"
    ),
  ])
  func `a date is what it is`(_ expression: String, _ expected: String) throws {
    #expect(try state.run("return tostring(\(expression))") == .string(expected))
  }

  @Test(arguments: [
    ("os.date('%Ez', 0)", "invalid conversion specifier '%Ez'"),
    ("os.date('%', 0)", "invalid conversion specifier '%'"),
    ("os.date('%Q', 0)", "invalid conversion specifier '%Q'"),
    ("os.date('%Y', math.maxinteger)", "cannot be represented"),
    ("os.date('%Y', 0.5)", "no integer representation"),
    ("os.time { year = 2020 }", "field 'month' missing in date table"),
    ("os.time { year = 'x', month = 1, day = 1 }", "field 'year' is not an integer"),
    ("os.time { year = 1 << 40, month = 1, day = 1 }", "field 'year' is out-of-bound"),
    ("os.time { year = math.mininteger, month = 1, day = 1 }", "field 'year' is out-of-bound"),
    ("os.time(1)", "table expected"),
  ])
  func `what is no date is refused`(_ expression: String, _ reason: String) {
    #expect(state.failure(of: "return \(expression)")?.message.contains(reason) == true)
  }
}
