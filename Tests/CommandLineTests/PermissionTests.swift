import Foundation
import Testing

@Suite struct PermissionTests {
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
}
