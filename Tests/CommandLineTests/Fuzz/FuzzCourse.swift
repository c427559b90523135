import Testing

/// A way of running the fuzzer's scripts.
struct FuzzCourse: CustomTestStringConvertible, Sendable {
  let name: String
  /// How the program is called; the script is `feed.lua`.
  let arguments: [String]
  /// Whether the script is standard input instead of a file.
  var isTyped = false
  /// Whether what scripts log is not to be seen, so that the step at which one ended is not known.
  var isSilent = false
  /// Whether each script ends in a way of its own, instead of having many steps.
  var isEnding = false
  /// Memory that its process may take in megabytes: 50 for the script, or what it may have when nothing is said, and 250 for
  /// the program itself, in a debug build, and for what a call has in hands when it is stopped.
  var megabytes: Int { arguments.contains("--max-memory") ? 300 : 1274 }
  /// Calls of the short form.
  let calls: Int
  let seed: UInt64

  var testDescription: String { "\(name), seed \(seed)" }

  private static let limits = ["--max-memory", "50MB", "--max-cpu", "\(500 * FuzzSettings.patience)ms"]
  private static let grants = [
    "--allow-net=127.0.0.1", "--allow-read=.", "--allow-write=.", "--allow-env=HOME", "--log-level", "error",
  ]
  private static let run = ["run", "feed.lua", "--timeout", "\(FuzzSettings.patience)s"] + limits + grants

  /// Every command that loads scripts.
  static let all: [FuzzCourse] =
    (1...4).map { FuzzCourse(name: "run", arguments: run, calls: 500, seed: $0) } + [
      FuzzCourse(
        name: "run without permissions", arguments: ["run", "feed.lua"] + limits, calls: 300, seed: 5),
      FuzzCourse(name: "dry-run", arguments: run + ["--dry-run"], calls: 300, seed: 6),
      FuzzCourse(name: "preview", arguments: run + ["--preview=5"], calls: 300, seed: 7),
      FuzzCourse(name: "repl", arguments: ["repl"] + limits + grants, isTyped: true, calls: 300, seed: 8),
      FuzzCourse(name: "check", arguments: ["check", "feed.lua"], isSilent: true, calls: 300, seed: 9),
      FuzzCourse(name: "lab", arguments: ["lab", "feed.lua", "--sessions", "2"], calls: 300, seed: 10),
    ]
    + endings.enumerated().map { number, ending in
      FuzzCourse(
        name: ending.name, arguments: ending.arguments, isEnding: true, calls: 20, seed: UInt64(20 + number))
    }

  private static let output = run + ["--limit", "2000", "--max-pages", "20"]

  private static let endings: [(name: String, arguments: [String])] = [
    ("lines", output), ("CSV", output + ["-o", "out.csv"]), ("a database", output + ["-o", "out.db"]),
    ("changes", output + ["-o", "out.json", "--changes"]),
    ("a recording", output + ["--trace", "trace.json", "--record", "record.ndjson"]),
    ("a table", output + ["--preview"]), ("requests", output + ["--dry-run"]),
    ("parameters", run + ["--help-script"]), ("an experiment", ["lab", "feed.lua", "--sessions", "2"]),
    ("a check", ["check", "feed.lua"]),
  ]
}
