import Foundation

/// A run that was recorded, and what came of replaying it.
struct Replayed {
  let live: CommandResult
  let replay: CommandResult
  /// What both decided and did, line by line.
  let liveTrace: String
  let replayTrace: String
  let recording: String

  /// Runs with `--record`, then with `--replay`; `more` are options of the live run alone, as permissions.
  init(_ arguments: [String], live more: [String] = [], in scratch: Scratch, folder: String? = nil) throws {
    func command(_ arguments: [String]) -> Command {
      var command = Command.lookahead(arguments).within(scratch)
      if let folder { command.folder = folder }
      return command
    }
    let (recording, first, second) = (
      "\(scratch.path)/r.jsonl", "\(scratch.path)/live.ndjson", "\(scratch.path)/replay.ndjson"
    )
    live = try command(["run"] + arguments + more + ["--record", recording, "--trace", first]).run()
    replay = try command(["run"] + arguments + ["--replay", recording, "--trace", second]).run()
    liveTrace = try scratch.text("live.ndjson")
    replayTrace = try scratch.text("replay.ndjson")
    self.recording = try scratch.text("r.jsonl")
  }

  /// Where the traces part: the number of the first line that differs, and both lines; nil when they are equal.
  var difference: String? {
    if liveTrace == replayTrace { return nil }
    let (old, new) = (liveTrace.split(separator: "\n"), replayTrace.split(separator: "\n"))
    let place =
      zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
    func line(_ lines: [Substring]) -> String { place < lines.count ? String(lines[place]) : "the end" }
    return "line \(place + 1)\nlive:   \(line(old))\nreplay: \(line(new))"
  }
}
