import Foundation

/// A script of twelve partitions of four to eight pages, for tests of those who share the work.
enum PartedScript {
  /// With `hold`, the fourth page of that account waits for a file `go`; with `fault`, the second page of that one fails.
  static let text = """
    local p = lookahead.parameters {
      hold = { default = 0, partition = false }, fault = { default = 0, partition = false },
    }
    local accounts = {}
    for number = 1, 12 do accounts[number] = number end
    local rows = lookahead.source { name = "rows", keys = "page", maxInFlight = 1 }
    function rows.fetch(context)
      local account = context.parameters.account
      lookahead.log.info(("page %d of %d"):format(context.key, account))
      while account == p.hold and context.key == 4 and not lookahead.fs.exists("go") do lookahead.sleep(0.005) end
      if account == p.fault and context.key == 2 then error("account " .. account .. " is broken") end
      local items = {}
      for n = 1, 10 do items[n] = { id = account * 1000 + context.key * 10 + n, account = account } end
      return { items = items, isLast = context.key > account % 5 + 3 }
    end
    return rows:partitions(accounts, function(account) return { account = account } end)
    """

  /// The lines of its partitions.
  static func partitions(_ scratch: Scratch) throws -> [String] {
    try scratch.lookahead("partitions", "feed.lua").lines
  }

  /// The partition of an account, of these.
  static func line(of account: Int, in lines: [String]) -> String {
    lines.first { $0.hasSuffix("{\"account\":\(account)}}") } ?? ""
  }

  /// All rows, sorted, of one undisturbed run.
  static func rows() throws -> [String] {
    try Scratch(script: text).lookahead("run", "feed.lua", "-q").lines.sorted()
  }

  /// The rows of the parts that count, sorted.
  static func rows(of folder: String, in scratch: Scratch) throws -> [String] {
    try scratch.shell(
      "lookahead collect \(folder) -o collected.ndjson > /dev/null; cat collected.ndjson"
    ).lines.sorted()
  }

  /// How often a page was fetched, by what was said.
  static func fetches(_ page: Int, of account: Int, in sayings: String) -> Int {
    sayings.components(separatedBy: "page \(page) of \(account)\n").count - 1
  }
}
