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
  }

  var budget: LuaBudget {
    var budget = LuaBudget()
    if let maxMemory { budget.memory = maxMemory.bytes }
    if let maxCPU {
      budget.total = maxCPU.duration
      budget.burst = min(budget.burst, maxCPU.duration)
    }
    return budget
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

  var budget: LuaBudget {
    var budget = LuaBudget()
    if let maxMemory { budget.memory = maxMemory.bytes }
    budget.total = maxCPU?.duration ?? .seconds(3600)
    if let maxCPU { budget.burst = min(budget.burst, maxCPU.duration) }
    return budget
  }
}
