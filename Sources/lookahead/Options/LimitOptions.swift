import ArgumentParser
import Lua

/// When a run ends early, and what its script may use.
struct LimitOptions: ParsableArguments {
  @Option(help: "Stop after this many items.")
  var limit: Int?

  @Option(help: ArgumentHelp("Stop each source after this many pages.", valueName: "pages"))
  var maxPages: Int?

  @Option(help: "Memory that the script may hold, as 256MB.")
  var maxMemory: ByteSize?

  @Option(help: "Processor time that the script may use, as 60s.")
  var maxCPU: TimeSpan?

  @Option(help: "The largest answer that is accepted, as 50MB.")
  var maxBody: ByteSize?

  func validate() throws {
    try Border.check(limit, "--limit", Border.counts)
    try Border.check(maxPages, "--max-pages", Border.counts)
    try Border.check(maxCPU, "--max-cpu")
  }

  var budget: LuaBudget { LuaBudget(maxMemory, maxCPU) }
}

/// What a script may use that works for others.
struct ScriptLimitOptions: ParsableArguments {
  @Option(help: "Memory that the script may hold, as 256MB.")
  var maxMemory: ByteSize?

  @Option(help: "Processor time that the script may use, as 60s.")
  var maxCPU: TimeSpan?

  @Option(help: "The largest answer that is accepted, as 50MB.")
  var maxBody: ByteSize?

  func validate() throws { try Border.check(maxCPU, "--max-cpu") }

  /// With no limits of items and pages.
  var all: LimitOptions {
    get throws {
      var all = try LimitOptions.parse([])
      (all.maxMemory, all.maxCPU, all.maxBody) = (maxMemory, maxCPU, maxBody)
      return all
    }
  }
}

/// What a script may use while it is browsed.
struct BrowseLimitOptions: ParsableArguments {
  @Option(help: "Memory that the script may hold, as 256MB.")
  var maxMemory: ByteSize?

  @Option(help: "Processor time that the script may use, as 60s; an hour unless given.")
  var maxCPU: TimeSpan?

  @Option(help: "The largest answer that is accepted, as 50MB.")
  var maxBody: ByteSize?

  func validate() throws { try Border.check(maxCPU, "--max-cpu") }

  var budget: LuaBudget {
    var budget = LuaBudget(maxMemory, maxCPU)
    if maxCPU == nil { budget.total = .seconds(3600) }
    return budget
  }
}

extension LuaBudget {
  /// The usual budget with the limits that were given.
  init(_ memory: ByteSize?, _ time: TimeSpan?) {
    self.init()
    if let memory { self.memory = memory.bytes }
    guard let time else { return }
    total = time.duration
    burst = min(burst, time.duration)
  }
}
