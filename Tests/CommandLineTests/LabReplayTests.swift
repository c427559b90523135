import Foundation
import Testing

/// Recorded runs in the lab: the production machine, the recorded network, another policy.
@Suite(.waiting) struct LabReplayTests {
  @Test(arguments: GalleryCase.served)
  func `the lab decides as the replay of a run does, line by line`(gallery: GalleryCase) throws {
    let scratch = try Scratch()
    let parameters = gallery.arguments.filter { !$0.hasPrefix("--allow") }
    let permissions = gallery.arguments.filter { $0.hasPrefix("--allow") }
    let run = try Replayed(
      [gallery.run] + parameters, live: permissions, in: scratch, folder: Repository.root.path)
    var command = Command.lookahead([
      "lab", gallery.run, "--replay", "\(scratch.path)/r.jsonl", "--trace", "\(scratch.path)/lab.ndjson",
    ]).within(scratch)
    command.folder = Repository.root.path

    let lab = try command.run()

    #expect(lab.exitCode == 0, "\(lab.errors)")
    #expect(try scratch.text("lab.ndjson") == run.replayTrace)
    #expect(run.replayTrace == run.liveTrace)
  }

  @Test func `other policies meet the same answers, and their rows tell what became of it`() throws {
    let base = Server.faults.base(run: "lab-replay", "items=600/latency_ms=30")
    let scratch = try Scratch()
    let arguments = ["scripts/sources/offset.lua", "--param", "base=\(base)", "--allow-net=127.0.0.1"]
    _ = try Replayed(arguments, in: scratch, folder: Repository.root.path)
    var command = Command.lookahead([
      "lab", "scripts/sources/offset.lua", "--replay", "\(scratch.path)/r.jsonl", "--policy", "everything",
      "--policy", "onDemand",
    ]).within(scratch)
    command.folder = Repository.root.path

    let first = try command.run()
    let second = try command.run()

    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(first.output == second.output)
    let rows = first.output.split(separator: "\n").dropFirst(2).map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows.map { $0.first } == ["own", "everything", "onDemand"])
    #expect(rows.allSatisfy { $0.last == "600" })
  }

  @Test func `a replay tries values, and says which does best`() throws {
    let scratch = try Scratch(script: Scripts.numbers)
    let run = try scratch.lookahead("run", "feed.lua", "-q", "-o", "o.ndjson", "--record", "r.jsonl")
    #expect(run.exitCode == 0, "\(run.errors)")
    func lab(_ options: String...) throws -> CommandResult {
      try Command.lookahead(
        ["lab", "feed.lua", "--replay", "r.jsonl", "--policy", "leadingScreens"] + options
      )
      .within(scratch).run()
    }

    let tried = try lab("--set", "screens=1,3", "--tune", "requests")
    let unknown = try lab("--set", "pages=1")
    let unmeasured = try lab("--tune", "waste")

    #expect(tried.exitCode == 0, "\(tried.errors)")
    #expect(tried.lines.filter { $0.hasPrefix("leadingScreens screens=") }.count == 2, "\(tried.output)")
    #expect(tried.lines.last == "own policy has the least requests, like 2 others")
    #expect(unknown.exitCode == 64 && unknown.errors.contains("expected one of screens"), "\(unknown.errors)")
    #expect(unmeasured.exitCode == 64 && unmeasured.errors.contains("stall, stalls or requests"))
  }

  @Test func `a recording goes with one script`() throws {
    let result = try Scratch().lookahead("lab", "--replay", "r.jsonl")

    #expect(result.exitCode == 64)
    #expect(
      result.error == "error: --replay r.jsonl: expected the one script that was recorded, got 0 files")
  }
}
