import Foundation
import TestSupport
import Testing

/// Commands in any order, with anything behind them.
@Suite(.waiting) struct ExploreFuzzTests {
  /// What may be typed; every second time with something that fits.
  private static let commands: [(name: String, fitting: [String])] = [
    ("open", ["", "numbers", "numbers screen 3", "screen 4"]), ("open", [""]),
    ("scroll", ["1", "-2", "40", "to 7", "to 300", "end", "start", "2 screens", "20 in 1s", "-30 in 300ms"]),
    ("fling", ["", "60", "-60", "250"]), ("fetch", ["", "append", "prepend"]), ("refresh", [""]),
    ("retry", [""]),
    ("policy", ["", "source", "ramp", "everything", "leadingScreens(1)", "mine", "numbers"]),
    ("step", ["", "3", "7"]), ("run", ["", "", "1s", "200ms"]), ("back", ["", "3", "40"]),
    ("forward", ["", "3"]),
    ("goto", ["0", "1", "5", "12"]), ("rerun", [""]), ("state", [""]), ("why", ["", "0", "3"]),
    ("moments", [""]),
    ("ranges", [""]), ("visible", [""]), ("items", ["", "3", "2 9", "250 300"]), ("pending", [""]),
    ("close", [""]),
  ]

  private static let arguments = [
    "", "", "", "1", "3", "-2", "0", "40", "to 7", "to 0", "end", "start", "2 screens", "-1e308 screens",
    "60", "-60", "nan",
    "inf", "1e400", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "20 in 1s",
    "20 in 1e9h", "append",
    "prepend", "source", "ramp", "everything", "leadingScreens(1)", "anyOf(ramp", "slow", "mine", "1s", "2 9",
    "9 2", "é\u{301}\u{7}",
    "numbers", "numbers screen 3", "screen 4", "screen", "string.rep", "{}", "(", "250 300",
  ]

  private static let script = """
    local mine = lookahead.policy { name = "mine", parameters = { n = 0 }, shouldBatchFetch = function(view, p)
      p.n = p.n + 1
      if p.n % 11 == 0 then error("eleven") end
      return { fetch = p.n % 4, wait = p.n % 5 == 0 and 0.1 or nil, cancel = p.n % 17 == 0 }
    end }
    local calls = 0
    local numbers = lookahead.source { name = "numbers", keys = "offset", pageSize = 15, maxItems = 90,
      fetch = function(context)
        calls = calls + 1
        if calls % 7 == 0 then error("every seventh call") end
        if calls % 5 == 0 then return context:fail("in passing", { retryAfter = 0.2 }) end
        local items = {}
        for id = context.key + 1, math.min(context.key + context.size, 400) do items[#items + 1] = { id = id } end
        return { items = items, total = calls > 3 and 400 or nil }
      end }
    return numbers
    """

  @Test(arguments: 1...16 as ClosedRange<UInt64>)
  func `commands in any order never break the prompt`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var lines = [":open"]
    for _ in 0..<80 {
      guard let command = Self.commands.randomElement(using: &dice) else { continue }
      let arguments = dice.next() % 4 == 0 ? Self.arguments : command.fitting
      lines.append(":\(command.name) \(arguments.randomElement(using: &dice) ?? "")")
    }
    let scratch = try Scratch(script: Self.script)
    var command = Command.lookahead(["repl", "feed.lua"]).within(scratch)
    command.environment = ["XDG_CONFIG_HOME": scratch.path, "XDG_STATE_HOME": scratch.path]
    command.input = lines.joined(separator: "\n") + "\nprint('alive', 6 * 7)\n"

    let result = try command.run()

    #expect([0, 1].contains(result.exitCode), "seed \(seed): \(result.errors.suffix(400))")
    #expect(result.lines.last == "alive\t42", "seed \(seed): \(lines)")
  }
}
