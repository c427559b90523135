import Foundation
import Testing

/// What is not allowed is asked for at the terminal of a run.
@Suite(.waiting) struct AskingTests {
  /// Prints what calls answer, or why they were refused.
  private static let prelude = """
    local function try(f, ...)
      local value, problem = lookahead.try(f, ...)
      print(problem and "refused: " .. tostring(problem) or "got: " .. tostring(value))
    end
    local fs, env, http = lookahead.fs, lookahead.env, lookahead.http

    """

  private static func script(_ lines: String) -> String { prelude + lines + "\n" }

  /// A folder with a script in `scripts`, and files that no option allows in `elsewhere`.
  private func scratch(_ lines: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("elsewhere/a.txt", "text of a")
    try scratch.write("elsewhere/b.txt", "text of b")
    try scratch.write("elsewhere/below/c.txt", "text of c")
    try scratch.write("other/d.txt", "text of d")
    let paths = lines.replacingOccurrences(of: "$", with: scratch.path)
    try scratch.write("scripts/feed.lua", Self.script(paths))
    return scratch
  }

  private func run(
    _ scratch: Scratch, _ options: String..., environment: [String: String] = [:]
  ) throws -> AskedRun {
    let terminal = try PseudoTerminal(
      ["run", "scripts/feed.lua", "-o", "out.ndjson"] + options, folder: scratch.path, columns: 250,
      environment: environment)
    return AskedRun(scratch: scratch, terminal: terminal)
  }

  @Test func `a variable is asked for with the line that wants it, and once is once`() throws {
    let run = try run(
      scratch("try(env.get, \"COLOUR\")\ntry(env.get, \"COLOUR\")"), environment: ["COLOUR": "blue"])

    #expect(run.answer("y", "n"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims.count == 2)
    #expect(run.claims.allSatisfy { $0 == "scripts/feed.lua:2 wants to read the variable COLOUR" })
    #expect(text.contains("got: blue\n"))
    #expect(text.contains("refused: scripts/feed.lua:2: env.get may not read the variable COLOUR"))
  }

  @Test func `an answer for the run is asked for once`() throws {
    let run = try run(
      scratch("for _ = 1, 3 do try(fs.read, \"$/elsewhere/a.txt\") end"), environment: ["COLOUR": "blue"])

    #expect(run.answer("r"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims == ["scripts/feed.lua:2 wants to read the file \(run.scratch.path)/elsewhere/a.txt"])
    #expect(text.components(separatedBy: "got: text of a\n").count == 4)
  }

  @Test(arguments: ["n", "", "no", "\u{4}"])
  func `no is the refusal of a run without a terminal, byte by byte`(answer: String) throws {
    let scratch = try scratch("fs.read(\"$/elsewhere/a.txt\")")
    let without = try scratch.lookahead("run", "scripts/feed.lua", "-o", "out.ndjson")

    let run = try run(scratch)
    #expect(run.answer(answer))

    let (code, text) = run.end()
    #expect(code == 77 && without.exitCode == 77)
    #expect(text.hasSuffix(without.errors))
    #expect(without.error.hasSuffix("(allow it with --allow-read=\(scratch.path)/elsewhere/a.txt)"))
  }

  @Test func `with --no-prompt nothing is asked`() throws {
    let scratch = try scratch("fs.read(\"$/elsewhere/a.txt\")")
    let without = try scratch.lookahead("run", "scripts/feed.lua", "-o", "out.ndjson")

    let run = try run(scratch, "--no-prompt")

    let (code, text) = run.end()
    #expect(code == 77)
    #expect(text == without.errors)
  }

  @Test func `what an option denies is not asked for`() throws {
    let scratch = try scratch("try(env.get, \"COLOUR\")\ntry(fs.read, \"$/elsewhere/a.txt\")")

    let run = try run(scratch, "--deny-env=COLOUR", "--deny-read=\(scratch.path)/elsewhere")

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims == [])
    #expect(text.contains("--deny-env forbids it") && text.contains("--deny-read forbids it"))
  }

  @Test func `an answer for one file is not for its neighbour, one for its folder is for all below`() throws {
    let reads = ["a.txt", "b.txt", "a.txt", "below/c.txt", "b.txt"].map {
      "try(fs.read, \"$/elsewhere/\($0)\")"
    }
    let run = try run(scratch(reads.joined(separator: "\n") + "\ntry(fs.read, \"$/other/d.txt\")"))

    #expect(run.answer("r", "f", "n"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(
      run.claims.map { $0.split(separator: "/").last } == ["a.txt", "b.txt", "d.txt"])
    #expect(text.contains("[f] all below \(run.scratch.path)/elsewhere in this run"))
    #expect(text.components(separatedBy: "got: text of").count == 6)
  }

  @Test func `a link in an allowed folder does not lead out of it`() throws {
    let scratch = try scratch("try(fs.read, \"$/elsewhere/a.txt\")\ntry(fs.read, \"$/elsewhere/link\")")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/elsewhere/link", withDestinationPath: "../other/d.txt")

    let run = try run(scratch)
    #expect(run.answer("f", "n"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims.last?.hasSuffix("wants to read the file \(scratch.path)/other/d.txt") == true)
    #expect(text.contains("got: text of a") && !text.contains("text of d"))
  }

  @Test func `lines of a file and names of a folder are asked for, too`() throws {
    let run = try run(
      scratch(
        """
        try(function() for line in fs.lines("$/elsewhere/a.txt") do return line end end)
        try(function() return table.concat(fs.list("$/elsewhere"), " ") end)
        try(fs.exists, "$/other/none")
        """))

    #expect(run.answer("y", "y", "y"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims[1].hasSuffix("wants to list the folder \(run.scratch.path)/elsewhere"))
    #expect(text.contains("got: text of a\n"))
    #expect(text.contains("got: a.txt b.txt below\n"))
    #expect(text.contains("got: false\n"))
  }

  @Test func `a name that would draw its own question is one line of escapes`() throws {
    let forged = #"/tmp/a\r\27[2K\nfeed.lua:1 wants to read the file x\nallow?\u{202e}\u{2028}"# + "   y"
    let run = try run(scratch("try(fs.read, \"\(forged)\")"))

    #expect(run.answer("n"))

    _ = run.end()
    #expect(
      run.claims.first?.hasSuffix(
        #"the file /tmp/a\u{d}\u{1b}[2K\u{a}feed.lua:1 wants to read the file x\u{a}allow?\u{202e}\u{2028}\u{20}\u{20}\u{20}y"#
      ) == true, "\(run.claims)")
  }

  @Test func `a long name is cut in the middle, and keeps to its line`() throws {
    let run = try run(scratch("try(env.get, \"A\" .. string.rep(\"b\", 3000) .. \"Z\")"))

    #expect(run.answer("n"))

    _ = run.end()
    let claim = try #require(run.claims.first)
    #expect(claim.contains("variable Abb") && claim.hasSuffix("bbZ") && claim.contains("…(2602 characters)…"))
  }

  @Test func `what was typed before the question is no answer`() throws {
    let scratch = try scratch("fs.read(\"$/gate\")\ntry(env.get, \"COLOUR\")")
    #expect(mkfifo(scratch.path + "/gate", 0o600) == 0)
    let run = try run(scratch, "--allow-read=\(scratch.path)/gate", environment: ["COLOUR": "blue"])
    #expect(run.terminal.type("y\n".utf8))
    #expect(run.terminal.wait { $0.contains("y") })
    #expect(run.terminal.wait { _ in scratch.opens("gate") })

    #expect(run.answer("n"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(text.contains("refused: ") && !text.contains("blue"))
  }

  @Test func `Ctrl-C at the question interrupts the run`() throws {
    let run = try run(scratch("env.get(\"COLOUR\")"), environment: ["COLOUR": "blue"])

    #expect(run.terminal.wait { $0.contains(AskedRun.mark) })
    run.terminal.type([3])

    let (code, text) = run.end()
    #expect(code == 130)
    #expect(text.contains("interrupted") && !text.contains("blue"))
  }

  @Test func `an answer that is none is asked for again`() throws {
    let run = try run(scratch("try(env.get, \"COLOUR\")"), environment: ["COLOUR": "blue"])

    #expect(run.answer("f", "what", "Y"))

    #expect(run.end().text.contains("got: blue"))
    #expect(run.claims.count == 1)
  }

  @Test func `requests that wait for one host get one question, and the next is asked for again`() throws {
    let base = Server.faults.base(run: "asked", "items=3")
    let run = try run(
      scratch(
        """
        local function get() return http.get("\(base)/items").status end
        local tasks = {}
        for index = 1, 4 do tasks[index] = function() try(get) end end
        lookahead.all(tasks)
        try(get)
        try(get)
        """))

    #expect(run.answer("y", "h"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims.count == 2)
    #expect(run.claims.allSatisfy { $0.hasSuffix(" wants to reach the host \(Server.faults.address)") })
    #expect(text.components(separatedBy: "got: 200\n").count == 7)
  }

  @Test func `a host that is not there is said as without questions`() throws {
    let scratch = try scratch("http.get(\"http://127.0.0.1:1/\")")
    let allowed = try scratch.lookahead(
      "run", "scripts/feed.lua", "-o", "out.ndjson", "--retries", "0", "--allow-net")

    let run = try run(scratch, "--retries", "0")
    #expect(run.answer("y"))

    let (code, text) = run.end()
    #expect(code == allowed.exitCode)
    #expect(text.contains(allowed.error))
  }

  @Test func `a name that a person allows does not lead to a denied address`() throws {
    let name = try Command("/bin/hostname", []).run().output.split(separator: "\n").first ?? ""
    let found = try Command("/usr/bin/getent", ["ahostsv4", String(name)]).run().output
    guard found.hasPrefix("127.") else { return }
    let scratch = try scratch("try(http.get, \"http://\(name):\(Server.faults.port)/\")")

    let run = try run(scratch, "--retries", "0", "--deny-net=127.0.0.1")
    #expect(run.answer("r"))

    #expect(run.end().text.contains("which --deny-net forbids"))
  }

  @Test func `a replay asks nothing`() throws {
    let scratch = try scratch("try(env.get, \"COLOUR\")")
    let live = try run(scratch, "--record", "calls.ndjson", environment: ["COLOUR": "blue"])
    #expect(live.answer("y"))
    #expect(live.end().code == 0)

    let replay = try run(scratch, "--replay", "calls.ndjson")

    let (code, text) = replay.end()
    #expect(code == 0)
    #expect(replay.claims == [])
    #expect(text.contains("got: blue"))
  }

  @Test func `writing is refused with the option that allows it`() throws {
    let run = try run(scratch("try(fs.write, \"$/new.txt\", \"text\")"))

    let (code, text) = run.end()
    #expect(code == 0)
    #expect(run.claims == [])
    #expect(text.contains("(allow it with --allow-write=\(run.scratch.path)/new.txt)"))
  }

  @Test(.enabled(if: Hole.isHeld))
  func `a hole in a run that asks makes no connection and reads nothing`() throws {
    let deeds = ["socket 2", "datagrams 2", "connect \(Server.faults.port)", "read /etc/passwd"] + Hole.never
    let scratch = try scratch("require(\"cage-probe\")")
    try scratch.write("scripts/cage-probe.lua", "return true")

    let run = try run(scratch, environment: ["LOOKAHEAD_CAGE_PROBE": deeds.joined(separator: ";")])

    let text = run.end().text
    for deed in deeds {
      let line = text.split(separator: "\n").first { $0.hasPrefix("probe \(deed)") && $0.contains(": ") }
      #expect(Hole.refusals.contains { line?.hasSuffix(": \($0)") == true }, "\(deed): \(line ?? "nothing")")
    }
  }
}

extension Scratch {
  /// Lets a reader of a pipe go on, if it is there.
  fileprivate func opens(_ pipe: String) -> Bool {
    let end = open("\(path)/\(pipe)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return end >= 0 && close(end) == 0
  }
}
