import Foundation
import Testing

/// An option, and a command line that shows that it does something.
struct OptionCase: Decodable, Sendable {
  let option: String
  /// The commands that have it.
  let commands: [String]
  /// What is written with it.
  let with: String
  /// What is written in its place; nothing unless said.
  var without: String?
  /// What `reach.lua` is asked to do; without it the command has a line of its own.
  var deed: String?
  /// Settings of the server that is asked.
  var faults: String?
  /// Other options, in both lines.
  var extra: String?
  /// The whole line, for options that need another one; `OPTION`, `COMMAND` and `KEYS` are put in.
  var line: String?
  /// Done before.
  var prepare: String?
  /// Seconds after which the command is ended: what takes longer is as good as endless.
  var within: Int?

  static let all: [OptionCase] = cases("options")

  /// What the scripts are that the lines name.
  static let files = [
    "feed.lua": Scripts.numbers, "seven.txt": "number=7\n",
    "unused.lua": "local nobody = 1\nprint(2)\n",
    "two.lua": """
    local function source(name)
      local s = lookahead.source { name = name }
      function s.fetch() return { items = { { id = 1, from = name } } } end
      return s
    end
    return { source("one"), source("two") }
    """,
    "reach.lua": reach,
    "parted.lua": reach.replacing(
      "\nreturn feed",
      with: """

        local rows = lookahead.source { name = "rows" }
        function rows.fetch(context) return { items = { { id = context.parameters.id } } } end
        return rows:partitions(p.deed == "pages" and pages or feed, function(parent)
          return { id = parent.id, text = parent.text }
        end)

        """
    ).replacing("if p.deed == \"pages\" then return pages end\n", with: ""),
  ]

  private static let reach = """
    local p = lookahead.parameters {
      base = { default = "", partition = false }, deed = { default = "number" }, number = { default = 3 },
      token = { default = "none", secret = true },
    }
    local pages = lookahead.source { name = "pages", keys = "page", pageSize = 50 }
    function pages.fetch(context)
      local page = lookahead.http.get(p.base .. "/items", { query = { page = context.key, per_page = context.size } }):json()
      return { items = page.items, total = page.total }
    end
    local deeds = {
      number = function() return p.number end,
      token = function() return #p.token end,
      formula = function() return "=1+1" end,
      memory = function() local t = {} for i = 1, 20 do t[i] = ("x"):rep(1e6) .. i end return #t end,
      time = function() local n = 0 for i = 1, 1e8 do n = n + i end return n end,
      net = function() return #lookahead.http.get(p.base .. "/items").body end,
      read = function() return #lookahead.fs.read("/etc/passwd") end,
      write = function() lookahead.fs.write("made.txt", "made") return "made" end,
      env = function() return lookahead.env.get("HOME") or "none" end,
      log = function() lookahead.log.info("hello") return 1 end,
      random = function() return math.random(1 << 40) end,
      pages = function() local n = 0 for item in pages:items() do n = n + 1 end return n end,
    }
    local function deed() return deeds[p.deed]() end
    if p.deed == "pages" then return pages end
    local feed = lookahead.source { name = "feed", keys = "page" }
    function feed.fetch(context)
      if context.key > 2 then return { items = {} } end
      return { items = { { id = context.key, text = tostring(deed()) } } }
    end
    return feed
    """

  /// What a shell knows in all lines: the program, and a server of the folder's files.
  static let prelude = """
    export lookahead=\(Repository.binary)
    serve() { python3 -u -m http.server --bind 127.0.0.1 0 > log 2>&1 & server=$!; trap 'kill $server' EXIT
      until port=$(sed -n 's/.* port \\([0-9]*\\) .*/\\1/p' log 2>/dev/null) && [ -n "$port" ]; do :; done; }

    """

  /// What is listed is worked on, with what is told at no certain time left out.
  private static let work = """
    $lookahead partitions reach.lua -e deed=DEED -e base=$base > listed
    $lookahead work reach.lua -e deed=DEED -e base=$base -o all/ --parts EXTRA OPTION < listed > events
    code=$?; grep -Ev '"(ready|position|progress)"' events; rm events; exit $code
    """

  /// The line of a command, with the option or with what is in its place.
  func line(_ command: String, isGiven: Bool) -> String {
    let keys = command == "browse" ? "--script settle" : ""
    let plain =
      switch (command, deed) {
      case ("repl", nil): "echo 'p.count' | $lookahead repl feed.lua --no-init EXTRA OPTION"
      case ("repl", _):
        "echo 'deed()' | $lookahead repl reach.lua --no-init -e deed=DEED -e base=$base EXTRA OPTION"
      case ("partitions", let deed?):
        "$lookahead partitions parted.lua -e deed=\(deed) -e base=$base EXTRA OPTION"
      case ("work", _): Self.work
      case ("collect", _): "$lookahead run feed.lua -q -o all/ --parts; $lookahead collect all/ OPTION"
      case ("get", _): "$lookahead get $base/items EXTRA OPTION"
      case ("lab", _): "$lookahead lab --policy ramp --policy everything --sessions 3 --quiet OPTION"
      case ("check", _): "$lookahead check feed.lua OPTION"
      case ("new", _): "$lookahead new source mine OPTION"
      case ("types", _), ("doctor", _), ("manual", _): "$lookahead COMMAND OPTION"
      case (_, nil): "$lookahead COMMAND feed.lua KEYS EXTRA OPTION"
      case (_, _): "$lookahead COMMAND reach.lua -e deed=DEED -e base=$base KEYS EXTRA OPTION"
      }
    let line = (line ?? plain).replacing("COMMAND", with: command).replacing("DEED", with: deed ?? "number")
      .replacing("KEYS", with: keys).replacing("EXTRA", with: extra ?? "")
      .replacing("OPTION", with: isGiven ? with : without ?? "")
    return within.map { line.replacing("$lookahead", with: "timeout \($0) $lookahead") } ?? line
  }
}

/// An option of a command, as the command line itself lists them.
struct CommandOption: Hashable, CustomTestStringConvertible, Sendable {
  let command: String
  let option: String

  var testDescription: String { "\(command) \(option)" }

  /// All options of all commands, from their help for machines.
  static func all() throws -> [CommandOption] {
    try names(of: [], key: "subcommands") { $0["commandName"] as? String }.filter { $0 != "help" }.flatMap {
      command in
      try names(of: [command], key: "arguments") { argument in
        guard argument["kind"] as? String != "positional" else { return nil }
        let names = argument["names"] as? [[String: Any]] ?? []
        return names.first { $0["kind"] as? String == "long" }?["name"] as? String
      }.map { CommandOption(command: command, option: "--\($0)") }
    }
  }

  private static func names(
    of command: [String], key: String, _ name: ([String: Any]) -> String?
  ) throws -> [String] {
    let output = try Command.lookahead(command + ["--experimental-dump-help"]).run().output
    let dump = object(output)["command"] as? [String: Any]
    return try #require(dump?[key] as? [[String: Any]]).compactMap(name)
  }
}
