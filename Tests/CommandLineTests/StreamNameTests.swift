import Testing

/// Files that are what standard output or standard error goes to, by their own names and by those of the stream.
@Suite(.waiting) struct StreamNameTests {
  private static let run = "lookahead run feed.lua -q -e count=3"
  private static let rows = (1...3).map { #"{"id":\#($0),"text":"item \#($0)"}"# }
  private static let names = ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1", "-"]

  /// With the rows of a run that standard output had before.
  private func scratch() throws -> Scratch {
    let scratch = try Scratch(script: Scripts.numbers)
    try scratch.write("out", "before\n")
    return scratch
  }

  @Test(arguments: ["--summary", "--report", "--trace", "--record"], names)
  func `what goes to standard output by its name comes behind what is there`(option: String, name: String)
    throws
  {
    let scratch = try scratch()

    let result = try scratch.shell("\(Self.run) \(option) \(name) >> out; echo $?")

    let lines = try scratch.text("out").split(separator: "\n").map(String.init)
    #expect(result.lines == ["0"], "\(result.errors)")
    #expect(lines.first == "before")
    #expect(lines.filter { Self.rows.contains($0) } == Self.rows, "\(lines.prefix(9))")
    #expect(lines.count > 4)
  }

  @Test(arguments: ["--summary", "--report", "--trace", "--record"], ["/dev/stderr", "/proc/self/fd/2"])
  func `what goes to standard error by its name leaves the messages there`(option: String, name: String)
    throws
  {
    let scratch = try scratch()

    let result = try scratch.shell(
      "lookahead run feed.lua -e count=3 \(option) \(name) > rows 2>> out; echo $?; cat rows")

    let text = try scratch.text("out")
    #expect(result.lines == ["0"] + Self.rows, "\(result.errors)")
    #expect(text.hasPrefix("before\n") && text.contains("3 items, "), "\(text.prefix(200))")
  }

  @Test func `items go to standard error by its name`() throws {
    let result = try scratch().shell("\(Self.run) -o /dev/stderr 2>> out; echo $?; cat out; ls")

    #expect(result.lines == ["0", "before"] + Self.rows + ["feed.lua", "out"], "\(result.errors)")
  }

  @Test(arguments: ["--summary", "--report", "--trace", "--record", "--state", "-o"], [">> out", "2>> out"])
  func `the file to which a stream goes is not written over`(option: String, stream: String) throws {
    let scratch = try scratch()

    let result = try scratch.shell(
      "ln -s out other; (\(Self.run) \(option) ./other \(stream)) > rows 2> errors; echo $?; cat errors rows; cat out"
    )

    let name = stream.hasPrefix("2") ? "standard error" : "standard output"
    #expect(result.lines.first == "64", "\(result.output)")
    #expect(result.lines.contains("before"))
    #expect(
      result.output.contains(
        "error: \(option) ./other: that is where \(name) goes, and would be written over\n"),
      "\(result.output)")
  }

  @Test(arguments: [
    "lab --sessions 2 --quiet -o", "lab --sessions 2 --quiet --report", "report rec -o", "collect all/ -o",
    "browse feed.lua --script q --summary", "watch --report",
  ])
  func `no command writes over what standard output goes to`(command: String) throws {
    let scratch = try scratch()
    _ = try scratch.shell("\(Self.run) --record rec > rows; \(Self.run) -o all/ --parts")

    let refused = try scratch.shell("lookahead \(command) out >> out < /dev/null; echo $?; head -n 1 out")
    let named = try scratch.shell("lookahead \(command) /dev/stdout >> out < /dev/null; head -n 1 out")

    #expect(refused.lines == ["64", "before"], "\(refused.output) \(refused.errors)")
    #expect(refused.errors.contains("that is where standard output goes, and would be written over"))
    #expect(named.lines == ["before"], "\(named.errors)")
  }

  @Test func `a script does not take the place of what standard output goes to`() throws {
    let scratch = try Scratch(
      script: """
        lookahead.emit { id = 1 }
        local ok, failure = pcall(lookahead.fs.write, "out", "over")
        print(ok, failure)
        """)

    let result = try scratch.shell("lookahead run feed.lua -q --allow-write=. > out; cat out")

    #expect(result.output == "{\"id\":1}\n", "\(result.output)")
    #expect(result.errors.contains("standard output or standard error goes there"), "\(result.errors)")
  }

  @Test(arguments: ["/dev/stdout", "/dev/stderr", "-", "/dev/fd/2"])
  func `no state and no database goes to a stream`(name: String) throws {
    let scratch = try scratch()

    let state = try scratch.lookahead("run", "feed.lua", "-o", "out.ndjson", "--state", name)
    let database = try scratch.lookahead("run", "feed.lua", "-o", name, "--format", "sqlite")

    #expect(state.exitCode == 64 && state.errors.contains("--state: expected a file"), "\(state.errors)")
    #expect(database.exitCode == 73, "\(database.errors)")
    #expect(database.errors.contains("a database can't go to standard "), "\(database.errors)")
  }
}
