import Testing

/// luacheck knows scripts by the standard that `lookahead types` writes.
@Suite(.waiting) struct TypesLuacheckTests {
  /// What luacheck says of a file under our standard, a line each, and how it ends.
  private static func check(_ paths: [String]) throws -> CommandResult {
    let scratch = try Scratch()
    _ = try scratch.lookahead("types")
    let settings = "\(scratch.path)/.luacheckrc"
    return try Command("/usr/bin/luacheck", ["--no-color", "--codes", "--config", settings, "-q"] + paths)
      .run()
  }

  private static func check(script: String) throws -> CommandResult {
    let scratch = try Scratch(script: script)
    return try check(["\(scratch.path)/feed.lua"])
  }

  @Test func `the gallery passes`() throws {
    let result = try Self.check(Repository.scripts)

    #expect(result.exitCode == 0, "\(result.output)")
    #expect(result.output.contains("0 warnings / 0 errors in \(Repository.scripts.count) files"))
  }

  @Test func `luacheck finds the settings by itself, and leaves the definitions alone`() throws {
    let scratch = try Scratch(script: "return lookahead.policy.ramp()\n")
    _ = try scratch.lookahead("types")

    let result = try scratch.shell("luacheck --no-color -q .")

    #expect(result.exitCode == 0, "\(result.output)")
    #expect(result.output.contains("0 warnings / 0 errors in 1 file"))
  }

  @Test func `the definitions and the settings themselves are sound`() throws {
    let scratch = try Scratch()
    _ = try scratch.lookahead("types")

    let result = try Command(
      "/usr/bin/luacheck",
      [
        "--no-config", "--std", "lua54", "--globals", "lookahead", "--no-max-line-length", "--ignore", "211",
        "212", "241",
      ]
        + ["--", "\(scratch.path)/types/lookahead.lua"]
    ).run()

    #expect(result.exitCode == 0, "\(result.output)")
  }

  @Test(arguments: [
    (
      "local page = lookahead.htpp.get('x') print(page)",
      "accessing undefined field 'htpp.get' of global 'lookahead'"
    ),
    ("lookahead.http.gett('x')", "accessing undefined field 'http.gett' of global 'lookahead'"),
    ("lookahead.policy.ramps()", "accessing undefined field 'policy.ramps' of global 'lookahead'"),
    ("lookahead.emit = print", "setting read-only field 'emit' of global 'lookahead'"),
    ("lookahaed.emit {}", "accessing undefined variable 'lookahaed'"),
    ("count = 1", "setting non-standard global variable 'count'"),
    ("io.write('x')", "accessing undefined variable 'io'"),
    ("os.exit(1)", "accessing undefined field 'exit' of global 'os'"),
    ("print(string.dump(print))", "accessing undefined field 'dump' of global 'string'"),
    ("local x = 1", "unused variable 'x'"),
  ])
  func `a mistake is found`(script: String, message: String) throws {
    let result = try Self.check(script: script)

    #expect(result.exitCode == 1)
    #expect(result.output.contains("feed.lua:1:"))
    #expect(result.output.contains(message), "\(result.output)")
  }

  @Test(arguments: [
    "return lookahead.policy { shouldBatchFetch = function(view, parameters) return view.hint end }",
    "return lookahead.policy.leadingScreens(3)",
    "print(lookahead.null, os.time(), string.rep('x', 3), math.huge, utf8.char(65), require 'lookahead')",
    "local items = lookahead.source {} function items.fetch(context) return { items = {} } end return items",
    "for row in lookahead.csv.rows('a.csv') do lookahead.emit(row) end",
  ])
  func `what is right is not found`(script: String) throws {
    let result = try Self.check(script: script)

    #expect(result.exitCode == 0, "\(result.output)")
  }

  @Test func `templates and scripts that were made pass`() throws {
    let scratch = try Scratch()
    for kind in ["source", "policy", "experiment", "workflow"] {
      let made = try scratch.lookahead("new", kind, kind, "--bare")
      #expect(made.exitCode == 0, "\(made.errors)")
    }
    let got = try scratch.lookahead(
      "get", "http://127.0.0.1:1/items", "--items", "items", "--next", "page", "--as-script")
    try scratch.write("got.lua", got.output)

    let result = try Self.check(
      ["source", "policy", "experiment", "workflow", "got"].map { "\(scratch.path)/\($0).lua" })

    #expect(result.exitCode == 0, "\(result.output)")
  }
}
