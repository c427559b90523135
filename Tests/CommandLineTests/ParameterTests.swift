import Testing

@Suite(.waiting) struct ParameterTests {
  private static let script = """
    local p = lookahead.parameters {
      repo = { required = true, help = "which repository" },
      days = { default = 7, help = "how far back" },
      token = { default = "", secret = true },
    }
    lookahead.emit { repo = p.repo, days = p.days }
    """

  @Test func `parameters come from options, files and the environment`() throws {
    let scratch = try Scratch(script: Self.script)
    try scratch.write("p.txt", "# a comment\n\nrepo = file\ndays=30\n")
    var command = Command.lookahead(["run", "feed.lua", "--params-file", "p.txt"]).within(scratch)

    let file = try command.run()
    command.arguments += ["--param", "repo=option"]
    let option = try command.run()
    command = Command.lookahead(["run", "feed.lua", "-e", "days=3"]).within(scratch)
    command.environment = ["LOOKAHEAD_PARAM": "repo=environment"]
    let environment = try command.run()

    #expect(file.output == "{\"days\":30,\"repo\":\" file\"}\n")
    #expect(option.output == "{\"days\":30,\"repo\":\"option\"}\n")
    #expect(environment.output == "{\"days\":3,\"repo\":\"environment\"}\n")
  }

  @Test
  func
    `a secret that is missing is asked for as one, and one of the environment may be meant for another script`()
    throws
  {
    let scratch = try Scratch(
      script:
        "local p = lookahead.parameters { token = { required = true, secret = true } } lookahead.emit { n = #p.token }"
    )
    let other = try Scratch(script: "lookahead.emit { n = 1 }")

    let missing = try scratch.lookahead("run", "feed.lua")
    var command = Command.lookahead(["run", "feed.lua"])
    command.environment = ["LOOKAHEAD_SECRET": "token=hunter22"]
    let given = try command.within(scratch).run()
    let ignored = try command.within(other).run()

    #expect(missing.exitCode == 64)
    #expect(
      missing.error.hasSuffix(
        "parameter 'token' is required: give it with --secret token=@FILE or token=env:VARIABLE"))
    #expect(given.output == "{\"n\":8}\n")
    #expect(ignored.output == "{\"n\":1}\n")
    #expect(
      ignored.errors.hasPrefix(
        "info: LOOKAHEAD_SECRET in the environment gives 'token', which this script does not have: ignored\n")
    )
    #expect(!ignored.errors.contains("hunter22"))
  }

  @Test func `a parameter that is missing is named`() throws {
    let result = try Scratch(script: Self.script).lookahead("run", "feed.lua")

    #expect(result.exitCode == 64)
    #expect(result.error.hasSuffix("parameter 'repo' is required: give it with --param repo=…"))
  }

  @Test func `a parameter that the script does not have is refused before anything is read`() throws {
    let result = try Scratch(script: Scripts.numbers).lookahead("run", "feed.lua", "--param", "cuont=3")

    #expect(result.exitCode == 64)
    #expect(
      result.error == "error: --param cuont: the script has no such parameter (did you mean 'count'?)")
    #expect(result.output == "")
  }

  @Test(arguments: ["--param", "--secret"])
  func `a workflow refuses a parameter that it does not have before anything is delivered`(option: String)
    throws
  {
    let result = try Scratch(script: Self.script).lookahead(
      "run", "feed.lua", "-e", "repo=a", option, "dayz=3")

    #expect(result.exitCode == 64)
    #expect(result.error == "error: \(option) dayz: the script has no such parameter (did you mean 'days'?)")
    #expect(result.output == "")
  }

  @Test func `a workflow without parameters or sources refuses those that are given`() throws {
    let scratch = try Scratch(script: Scripts.streams)

    let parameter = try scratch.lookahead("run", "feed.lua", "-e", "days=3", "-o", "{stream}.ndjson")
    let source = try scratch.lookahead("run", "feed.lua", "--source", "days", "-o", "{stream}.ndjson")

    #expect(parameter.exitCode == 64)
    #expect(parameter.error == "error: --param days: the script has no such parameter (it has none)")
    #expect(source.exitCode == 64)
    #expect(source.error == "error: --source days: the script returns no sources")
  }

  @Test func `a prompt warns of a parameter that its script does not have`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try scratch.shell("echo 'p.count' | lookahead repl feed.lua -e cont=3")

    #expect(
      result.errors.contains("warn: --param cont: the script has no such parameter (did you mean 'count'?)"),
      "\(result.errors)")
    #expect(result.output.contains("1000"))
  }

  @Test(arguments: [
    (["-e", "=3"], "--param: expected name=value, got '=3'"),
    (["--secret", "=abc"], "--secret: expected name=value, got '=…'"),
  ])
  func `a value without a name is shown as it was given, if it is no secret`(
    given: [String], error: String
  ) throws {
    let scratch = try Scratch(script: Self.script)

    let result = try Command.lookahead(["run", "feed.lua"] + given).within(scratch).run()

    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: \(error)\n"), "\(result.errors)")
  }

  @Test func `a file of parameters that is not there ends with 66`() throws {
    let result = try Scratch(script: Self.script).lookahead("run", "feed.lua", "--params-file", "none.txt")

    #expect(result.exitCode == 66)
    #expect(result.errors == "error: --params-file none.txt: no such file or directory\n")
  }

  @Test func `a wrong line of a file of parameters is named`() throws {
    let scratch = try Scratch(script: Self.script)
    try scratch.write("p.txt", "repo=a\nnonsense\n")

    let result = try scratch.lookahead("run", "feed.lua", "--params-file", "p.txt")

    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: p.txt:2: expected name=value, got 'nonsense'"))
  }

  @Test(arguments: [["--secret", "token=hunter 2&\"x\""], ["--param", "token=hunter 2&\"x\""]])
  func `a secret is never shown`(given: [String]) throws {
    let base = Server.faults.base(run: "secret", "status=500")
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { base = "", token = { default = "", secret = true } }
        print("printed", p.token)
        lookahead.log.info("logged " .. p.token, { token = p.token })
        lookahead.http.get(p.base .. "/items", { query = { token = p.token }, headers = { Authorization = p.token } })
        """)
    let options = ["--param", "base=\(base)", "--allow-net", "--retries", "1"] + given

    let run = try Command.lookahead(["run", "feed.lua", "--trace", "t.ndjson"] + options).within(scratch)
      .run()
    let dry = try Command.lookahead(["run", "feed.lua", "--dry-run"] + options).within(scratch).run()

    let shown = try run.output + run.errors + scratch.text("t.ndjson") + dry.output + dry.errors
    #expect(run.exitCode == 75)
    #expect(run.errors.contains("printed\t[secret]\n"))
    #expect(run.errors.contains("info: logged [secret] token=[secret]\n"))
    #expect(run.error.contains("token=[secret]"))
    #expect(!shown.contains("hunter"))
  }

  private static let telling = """
    local p = lookahead.parameters { token = "" }
    for name, value in pairs { token = p.token } do lookahead.log.info(name .. #value, { value = { value } }) end
    print(p.token, #p.token)
    """

  @Test(arguments: [
    ("token=@file", "[secret]\t9\n"), ("token=env:SERVICE", "[secret]\t7\n"),
    ("token=@@file", "[secret]\t5\n"),
    ("token=env::SERVICE", "[secret]\t11\n"), ("token=@<(printf piped)", "[secret]\t5\n"),
  ])
  func `a secret is read from where it is said to be`(given: String, printed: String) throws {
    let scratch = try Scratch(script: Self.telling)
    try scratch.write("file", "from file\n")

    let result = try scratch.shell(
      "SERVICE=service lookahead run feed.lua --secret \(given.replacing("<(printf piped)", with: "\"$(printf piped > p; echo p)\""))"
    )

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains(printed), "\(result.errors)")
    #expect(!result.errors.contains("from file") && !result.errors.contains("service"))
  }

  @Test(arguments: [
    ("token=@none", 66, "error: --secret token: can't read none: no such file or directory\n"),
    ("token=@empty", 66, "error: --secret token: empty is empty\n"),
    ("token=@/dev/zero", 66, "error: --secret token: can't read /dev/zero: it is longer than 65536 bytes\n"),
    (
      "token=env:NO_SUCH_VARIABLE", 64,
      "error: --secret token: the environment has no variable NO_SUCH_VARIABLE"
    ),
    ("hunter22", 64, "error: --secret: expected name=value, got a text without =\n"),
  ])
  func `a secret that is not there is told of, and never shown`(given: String, code: Int32, told: String)
    throws
  {
    let scratch = try Scratch(script: Self.telling)
    try scratch.write("empty", "\n")

    let result = try scratch.lookahead("run", "feed.lua", "--secret", given)

    #expect(result.exitCode == code)
    #expect(result.errors.hasPrefix(told), "\(result.errors)")
    #expect(!result.errors.contains("hunter22"))
  }

  @Test func `a secret is in no text and no file of a run, in whatever form`() throws {
    let secret = "p\"a\\ss/wörd 1"
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { token = "" }
        local hex = p.token:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
        local json = lookahead.json.encode({ [p.token] = p.token })
        lookahead.log.info("m " .. json, { nested = { [p.token] = { p.token, json } }, [p.token] = hex })
        print(lookahead.url.encode(p.token), json, hex)
        local source = lookahead.source { name = "s " .. p.token }
        function source.fetch() error({ message = json }) end
        lookahead.emit({ id = 1 }, p.token)
        error(json .. hex)
        """)

    let result = try Command.lookahead([
      "run", "feed.lua", "-o", "out/", "--secret", "token=\(secret)", "--trace", "t.ndjson", "--record",
      "r.jsonl", "--summary", "s.json",
    ]).within(scratch).run()
    let json = try Command.lookahead([
      "run", "feed.lua", "--log-format", "json", "--preview", "--secret", "token=\(secret)",
    ]).within(scratch).run()

    let texts =
      try [result.errors, result.output, json.errors, json.output]
      + ["t.ndjson", "r.jsonl", "s.json"].map(scratch.text)
    for text in texts {
      #expect(
        !text.contains("p\"a") && !text.contains("ss/w") && !text.contains("p\\\"a")
          && !text.contains("702261"), "\(text)")
    }
    #expect(result.errors.contains("[secret]"))
  }

  @Test func `options come from the environment, and the command line wins`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    var command = Command.lookahead(["run", "feed.lua"]).within(scratch)
    command.environment = [
      "LOOKAHEAD_LIMIT": "3", "LOOKAHEAD_FORMAT": "csv", "LOOKAHEAD_QUIET": "1", "LOOKAHEAD_NOPE": "x",
    ]

    let environment = try command.run()
    command.arguments += ["--limit", "1"]
    let option = try command.run()

    #expect(environment.lines == ["id,text", "1,item 1", "2,item 2", "3,item 3"])
    #expect(environment.errors == "")
    #expect(option.lines == ["id,text", "1,item 1"])
  }

  @Test func `the script's own help lists its parameters`() throws {
    let result = try Scratch(script: Self.script).lookahead("run", "feed.lua", "--help-script")

    #expect(result.exitCode == 0)
    #expect(
      result.output == """
        Parameters of feed.lua:
          --param days=…  integer, default 7
              how far back
          --param repo=…  string, required
              which repository
          --param token=…  string, secret

        """)
  }

  /// A partition is kept in states, listed by `partitions` and shown by `state`.
  @Test(arguments: ["{ tok = p.token }", "{ login = { tok = p.token } }", "{ tok = '?key=' .. p.token }"])
  func `a partition has no secret among its parameters`(parameters: String) throws {
    let scratch = try Scratch(
      script: """
        local p = lookahead.parameters { token = { required = true, secret = true } }
        local s = lookahead.source { name = "s", fetch = function() return { items = { { id = 1 } } } end }
        return s:with(\(parameters))
        """)

    let result = try scratch.lookahead("run", "feed.lua", "--secret", "token=hushhush", "-o", "out.db")

    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(
      result.errors.contains("tok is the secret token, but a partition is remembered"), "\(result.errors)")
    #expect(!result.errors.contains("hushhush"))
  }
}
