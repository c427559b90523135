import Paging
import Testing

@Suite struct FileTests {
  private func run(_ script: String, _ files: [String: String] = [:]) throws -> ScriptRun {
    let world = ScriptWorld()
    world.files = files
    return try ScriptRun(script, in: world)
  }

  @Test func `paths count from the script's folder`() throws {
    let run = try run(
      "print(lookahead.fs.read(\"a.txt\"), lookahead.fs.read(\"/b.txt\"))",
      ["/scripts/a.txt": "a\0", "/b.txt": "b"])

    #expect(run.printed == ["a\0\tb"])
  }

  @Test func `a file is written, found and listed`() throws {
    let run = try run(
      """
      lookahead.fs.write("out/b.txt", "text\\0")
      lookahead.fs.write("out/a.txt", "")
      print(lookahead.fs.exists("out/b.txt"), lookahead.fs.exists("out/c.txt"))
      print(table.concat(lookahead.fs.list("out"), " "))
      """)

    #expect(run.printed == ["true\tfalse", "a.txt b.txt"])
    #expect(run.world.files["/scripts/out/b.txt"] == "text\0")
  }

  @Test func `lines come one by one, and a loop closes its file`() throws {
    let text = (1...2500).map { "\($0)\n" }.joined() + "last"
    let run = try run(
      "local n, last = 0 for line in lookahead.fs.lines(\"a.txt\") do n, last = n + 1, line end print(n, last)",
      ["/scripts/a.txt": text])

    #expect(run.printed == ["2501\tlast"])
    #expect(run.world.calls.contains(.close(handle: 100)))
  }

  @Test func `an empty file has no lines`() throws {
    #expect(
      try run("for line in lookahead.fs.lines(\"a\") do print(line) end", ["/scripts/a": ""]).printed == [])
  }

  @Test func `the environment is asked by name`() throws {
    let world = ScriptWorld()
    world.environment = ["TOKEN": "abc"]
    let run = try ScriptRun("print(lookahead.env.get(\"TOKEN\"), lookahead.env.get(\"NONE\"))", in: world)

    #expect(run.printed == ["abc\tnil"])
  }

  @Test(arguments: [
    ScriptCase(script: "lookahead.fs.read()", message: "fs.read: argument 1: expected a string, got nothing"),
    ScriptCase(
      script: "lookahead.fs.write(\"a\")", message: "fs.write: argument 2: expected a string, got nothing"),
    ScriptCase(
      script: "lookahead.fs.lines({})", message: "fs.lines: argument 1: expected a string, got table"),
    ScriptCase(script: "lookahead.fs.list(3)", message: "fs.list: argument 1: expected a string, got 3"),
    ScriptCase(script: "lookahead.env.get()", message: "env.get: argument 1: expected a string, got nothing"),
    ScriptCase(script: "lookahead.fs.read(\"a\")", message: "there is no file /scripts/a"),
    ScriptCase(script: "for _ in lookahead.fs.lines(\"a\") do end", message: "there is no file /scripts/a"),
  ])
  func `misuse and failures are told at their line`(_ example: ScriptCase) throws {
    #expect(try failure(of: example.script) == "feed.lua:1: " + example.message)
  }
}
