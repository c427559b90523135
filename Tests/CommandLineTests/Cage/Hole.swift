import Foundation

/// A script with a hole put back: in its process happens, from native code and inside a call of the host, what `deeds` say.
struct Hole {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch(script: Self.script)
    try scratch.write(
      "policy.lua",
      "require('cage-probe')\nreturn lookahead.policy { shouldBatchFetch = function() return true end }\n")
    try FileManager.default.createDirectory(atPath: granted, withIntermediateDirectories: true)
    try scratch.write("granted/file", "x")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: elsewhere + "/.ssh", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/scripts", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: scratch.path + "/feed.lua", toPath: scratch.path + "/scripts/feed.lua")
    try FileManager.default.moveItem(
      atPath: scratch.path + "/policy.lua", toPath: scratch.path + "/scripts/policy.lua")
    try scratch.write("scripts/cage-probe.lua", "return true")
    try scratch.write("elsewhere/.ssh/key", "secret")
    try scratch.write("elsewhere/file", "x")
  }

  /// A folder that options grant.
  var granted: String { scratch.path + "/granted" }
  /// A folder that nothing grants.
  var elsewhere: String { scratch.path + "/elsewhere" }

  /// What came of each deed, by the deed.
  func answers(_ deeds: [String], _ arguments: [String], input: String = "") throws -> [String: String] {
    var command = Command.lookahead(arguments).within(scratch)
    command.environment["LOOKAHEAD_CAGE_PROBE"] = deeds.joined(separator: ";")
    command.environment.merge(variables) { $1 }
    command.input = input
    let result = try command.run()
    var answers: [String: String] = [:]
    for line in result.errors.split(whereSeparator: \.isNewline) where line.hasPrefix("probe ") {
      let parts = line.dropFirst("probe ".count).split(separator: ": ", maxSplits: 1)
      answers[parts[0].trimmingCharacters(in: .whitespaces)] = parts.count > 1 ? String(parts[1]) : ""
    }
    return answers
  }

  /// Variables besides.
  var variables: [String: String] = [:]

  /// What a script does to go through the hole.
  private static let script = """
    require("cage-probe")
    local source = lookahead.source { name = "numbers" }
    function source.fetch(context) return { items = { { id = 1 } } } end
    return source
    """

  /// Whether the kernel of this machine has all of the cage; doctor says so.
  static let isHeld: Bool = (try? Command.lookahead(["doctor"]).run().exitCode) == 0

  /// What no option gives a script, whatever it is called: programs, processes, other processes, and ways around the cage.
  static let never = [
    "execute /bin/echo", "executeAt /bin/true", "fork", "trace", "signal", "namespace", "type x", "code",
    "ring",
    "memory x", "abstract lookahead", "socket 1", "socket 17", "multipath 1", "fastOpen 1", "bind 0",
  ]

  /// The answers by which the kernel refuses.
  static let refusals: Set = ["EPERM", "EACCES"]
}

extension Command {
  /// The program on a kernel that lacks the calls: `landlock` or `all` of the cage.
  static func onOlderKernel(_ calls: String, _ arguments: [String]) -> Command {
    let script = Repository.root.appendingPathComponent("Tests/Servers/older_kernel.py").path
    return Command("/usr/bin/env", ["python3", script, calls, Repository.binary] + arguments)
  }
}
