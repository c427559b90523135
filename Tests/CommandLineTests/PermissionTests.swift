import Foundation
import Testing

@Suite(.waiting) struct PermissionTests {
  @Test func `a call that is not allowed names the option`() throws {
    let result = try Scratch(script: Scripts.asking).lookahead("run", "feed.lua")

    #expect(result.exitCode == 77)
    #expect(
      result.error
        == "error: feed.lua:3: http.get may not reach 127.0.0.1:1: it was not granted (allow it with --allow-net=127.0.0.1:1)"
    )
  }

  @Test(arguments: ["--allow-net", "--allow-net=127.0.0.1", "--allow-net=example.com,127.0.0.1", "-A"])
  func `a host that is allowed is asked`(option: String) throws {
    let base = Server.faults.base(run: "allowed", "items=100")

    let result = try Scratch(script: Scripts.pages).lookahead(
      "run", "feed.lua", "--param", "base=\(base)", option)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(Items(lines: result.output)?.count == 100)
  }

  @Test func `what is denied stays denied`() throws {
    let result = try Scratch(script: Scripts.asking).lookahead(
      "run", "feed.lua", "-A", "--deny-net=127.0.0.1")

    #expect(result.exitCode == 77)
    #expect(result.error == "error: feed.lua:3: http.get may not reach 127.0.0.1:1: --deny-net forbids it")
  }

  @Test func `files beside the script may be read, others not`() throws {
    let scratch = try Scratch(
      script: "lookahead.emit { text = lookahead.fs.read(lookahead.parameters { path = \"\" }.path) }")
    try scratch.write("beside.txt", "here")

    let beside = try scratch.lookahead("run", "feed.lua", "--param", "path=beside.txt")
    let outside = try scratch.lookahead("run", "feed.lua", "--param", "path=/etc/hostname")
    let allowed = try scratch.lookahead(
      "run", "feed.lua", "--param", "path=/etc/hostname", "--allow-read=/etc")

    #expect(beside.output == "{\"text\":\"here\"}\n")
    #expect(outside.exitCode == 77)
    #expect(outside.error.hasSuffix("(allow it with --allow-read=/etc/hostname)"))
    #expect(allowed.exitCode == 0)
  }

  @Test func `files are written only where that is allowed`() throws {
    let scratch = try Scratch(script: "lookahead.fs.write(\"new.txt\", \"text\")")

    let refused = try scratch.lookahead("run", "feed.lua")
    let hasRefused = scratch.has("new.txt")
    let allowed = try scratch.lookahead("run", "feed.lua", "--allow-write=.")

    #expect(refused.exitCode == 77)
    #expect(refused.error.contains("--allow-write="))
    #expect(!hasRefused)
    #expect(allowed.exitCode == 0, "\(allowed.errors)")
    #expect(try scratch.text("new.txt") == "text")
  }

  @Test func `variables of the environment are read only where that is allowed`() throws {
    let scratch = try Scratch(script: "lookahead.emit { value = lookahead.env.get(\"COLOUR\") }")
    var command = Command.lookahead(["run", "feed.lua"]).within(scratch)
    command.environment = ["COLOUR": "blue"]

    let refused = try command.run()
    command.arguments.append("--allow-env=COLOUR")
    let allowed = try command.run()

    #expect(refused.exitCode == 77)
    #expect(refused.error.hasSuffix("(allow it with --allow-env=COLOUR)"))
    #expect(allowed.output == "{\"value\":\"blue\"}\n")
  }

  /// Whether the machine's own name stands for one of its own addresses.
  private static var isNamed: Bool {
    guard let line = try? Command("/bin/sh", ["-c", "getent ahostsv4 $(hostname)"]).run().output else {
      return false
    }
    return line.hasPrefix("127.")
  }

  @Test(.enabled(if: isNamed)) func `a name that leads to a denied address leads nowhere`() throws {
    let base = Server.faults.base(run: "denied", "items=100")
    let script = """
      local name = lookahead.fs.read("/etc/hostname"):match("%S+")
      print(lookahead.http.get((lookahead.parameters { base = "" }.base:gsub("127.0.0.1", name))))
      """

    let result = try Scratch(script: script).lookahead(
      "run", "feed.lua", "--param", "base=\(base)", "-A", "--deny-net=127.0.0.1")

    #expect(result.exitCode == 77)
    #expect(result.errors.contains("which --deny-net forbids"), "\(result.errors)")
  }

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func `a name is not asked for through a proxy where an address is denied`(variable: String) throws {
    let scratch = try Scratch(script: "print(lookahead.http.get(\"http://name.example/\"))")
    var command = Command.lookahead(["run", "feed.lua", "-A", "--deny-net=10.0.0.1"]).within(scratch)
    command.environment = [variable: "http://127.0.0.1:1"]

    let result = try command.run()

    #expect(result.exitCode == 77)
    #expect(
      result.error
        == "error: feed.lua:1: http.get may not reach name.example through the proxy of \(variable): "
        + "--deny-net=10.0.0.1 forbids an address, and where a proxy finds name.example is not known here "
        + "(no_proxy=name.example asks it directly)")
  }

  @Test(arguments: ["10.0.0.1", "localhost", "[::1]"])
  func `a denied address stays denied behind a proxy, and other addresses are asked through it`(
    pattern: String
  ) throws {
    let base = Server.faults.base(run: "proxied", "items=100")
    let proxy = try #require(URL(string: base).flatMap { URL(string: "/", relativeTo: $0) }).absoluteString
    let denied = pattern == "10.0.0.1" ? pattern : "127.0.0.1"
    let script = """
      local host = lookahead.parameters { host = "" }.host
      print(lookahead.http.get("http://" .. host .. "/").status)
      """
    let scratch = try Scratch(script: script)
    func run(_ host: String) throws -> CommandResult {
      var command = Command.lookahead(
        ["run", "feed.lua", "-A", "--deny-net=\(pattern)", "--param", "host=\(host)"]
      ).within(scratch)
      command.environment = ["http_proxy": proxy]
      return try command.run()
    }

    #expect(try run(denied).exitCode == 77)
    #expect(try run("192.0.2.1").exitCode != 77)
  }

  @Test(.enabled(if: isNamed)) func `a host that no_proxy exempts is checked by its address`() throws {
    let scratch = try Scratch(
      script: """
        local name = lookahead.fs.read("/etc/hostname"):match("%S+")
        print(lookahead.http.get("http://" .. name .. ":1/"))
        """)
    var command = Command.lookahead(["run", "feed.lua", "-A", "--deny-net=localhost"]).within(scratch)
    command.environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": "*"]

    let result = try command.run()

    #expect(!result.errors.contains("through the proxy"), "\(result.errors)")
    #expect(result.exitCode != 0)
  }
}
