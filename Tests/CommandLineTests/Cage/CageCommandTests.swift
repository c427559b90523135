import Foundation
import Testing

/// The cage of each command.
@Suite(.waiting, .enabled(if: Hole.isHeld)) struct CageCommandTests {
  private static let files = ["read /etc/passwd", "make /tmp/lookahead-hole", "connect 1"]

  @Test(arguments: [
    ["run", "scripts/feed.lua"], ["run", "scripts/feed.lua", "--dry-run"],
    ["run", "scripts/feed.lua", "--preview=1"],
    ["run", "scripts/feed.lua", "--help-script"], ["check", "scripts/feed.lua"],
    ["browse", "scripts/feed.lua", "--script", "settle"],
    ["lab", "scripts/policy.lua", "--sessions", "1", "--jobs", "2"],
  ])
  func `a hole in a script finds nothing, whichever command loads it`(arguments: [String]) throws {
    let answers = try Hole().answers(Self.files + Hole.never, arguments)

    let possible = (Self.files + Hole.never).filter { !Hole.refusals.contains(answers[$0] ?? "nothing") }
    #expect(possible == [])
  }

  @Test func `a hole in the script that get stands for finds the port of its URL`() throws {
    let port = Server.faults.port
    let deeds = ["connect \(port)", "connect \(port ^ 1)", "read /etc/passwd"]
    let url = Server.faults.base(run: "hole", "items=3") + "/items"

    let answers = try Hole().answers(deeds + Hole.never, ["get", url])

    #expect(deeds.map { answers[$0] } == ["done", "EACCES", "EACCES"])
    #expect(Hole.never.filter { !Hole.refusals.contains(answers[$0] ?? "") } == [])
  }

  @Test
  func `a hole at the prompt starts no program, though files and the net stay open for what is granted`()
    throws
  {
    let hole = try Hole()

    let answers = try hole.answers(
      Hole.never + ["read \(hole.granted)/file"], ["repl", "scripts/feed.lua"], input: "return 1\n")

    #expect(answers["read \(hole.granted)/file"] == "done")
    #expect(Hole.never.filter { !Hole.refusals.contains(answers[$0] ?? "") } == [])
  }

  @Test func `a hole in a replay has no net, whatever was granted`() throws {
    let hole = try Hole()
    let recorded = try hole.scratch.lookahead("run", "scripts/feed.lua", "--record", "run.jsonl")
    let deeds = ["socket 2", "read /etc/passwd"]

    let answers = try hole.answers(
      deeds, ["run", "scripts/feed.lua", "--replay", "run.jsonl", "--allow-net", "--allow-read"])

    #expect(recorded.exitCode == 0, "\(recorded.errors)")
    #expect(deeds.map { answers[$0] } == ["EPERM", "EACCES"])
  }

  @Test func `without the cage the hole is open, and who looks is told`() throws {
    var hole = try Hole()
    hole.variables = ["LOOKAHEAD_CAGE": "off"]
    let answers = try hole.answers(["read /etc/passwd"], ["run", "scripts/feed.lua"])
    var command = Command.lookahead(["run", "scripts/feed.lua", "--log-level=debug"]).within(hole.scratch)
    command.environment = ["LOOKAHEAD_CAGE": "off"]
    let told = try command.run()

    #expect(answers == ["read /etc/passwd": "done"])
    #expect(told.errors.contains("the kernel's cage is left out: LOOKAHEAD_CAGE is off"))
  }

  @Test func `without Landlock a hole starts no program, and what is lacking is told once to those who look`()
    throws
  {
    let hole = try Hole()
    var command = Command.onOlderKernel("landlock", ["run", "scripts/feed.lua", "--log-level=debug"])
      .within(hole.scratch)
    command.environment = ["LOOKAHEAD_CAGE_PROBE": "execute /bin/echo;socket 2;read /etc/passwd"]
    let result = try command.run()

    #expect(result.exitCode == 0)
    #expect(result.output == "{\"id\":1}\n")
    #expect(
      result.errors.contains(
        "probe execute /bin/echo: EPERM\nprobe socket 2: EPERM\nprobe read /etc/passwd: done"))
    #expect(result.errors.split(separator: "the kernel's cage is not whole").count == 2)
  }

  @Test(arguments: ["landlock", "all"])
  func `doctor tells of a kernel that lacks the cage, and ends with 1`(calls: String) throws {
    let doctor = try Command.onOlderKernel(calls, ["doctor"]).run()

    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("landlock      missing  files and ports"))
    #expect(doctor.output.contains("seccomp       missing") == (calls == "all"))
    #expect(doctor.output.contains("cage          missing  tried, and from inside one can open a file"))
  }

  @Test func `where the kernel has all of it, nothing is told`() throws {
    let result = try Hole().scratch.lookahead("run", "scripts/feed.lua", "--log-level=debug")

    #expect(result.exitCode == 0)
    #expect(!result.errors.contains("cage"))
  }
}
